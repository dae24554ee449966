"""The held half: nobody reads them before the measurement."""
