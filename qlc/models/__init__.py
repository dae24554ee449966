"""Language models: the exchange with one, the adapters of the providers, budgets, and the check of tool calls."""
