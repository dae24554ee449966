from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("catalog", "errors", "index_mapping"))
