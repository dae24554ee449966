"""What words can stand for in a catalog and its index: kinds of things, fields, values, names."""
