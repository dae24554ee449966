"""Tables: files of rows (CSV, spreadsheets, JSON, SQLite, Parquet), read with the types that all values need."""
