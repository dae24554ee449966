from typing import TYPE_CHECKING

from qlc.base.lazy import submodules

if TYPE_CHECKING:
    from qlc.mapping import catalog as catalog
    from qlc.mapping import errors as errors
    from qlc.mapping import index_mapping as index_mapping
else:  # a type checker would take it that every name is there
    __getattr__ = submodules(__name__, ("catalog", "errors", "index_mapping"))
