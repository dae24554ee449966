"""The embedded engine beside a real Elasticsearch on a million generated entities: `make bench-engine`."""
