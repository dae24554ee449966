"""`qlc lsp`: a language server over standard input and output."""

from __future__ import annotations

from qlc.base.extras import need
from qlc.base.version import VERSION
from qlc.cli.settings import LanguageServer
from qlc.cli.target import catalog_path, open_compiler


def lsp(options: LanguageServer) -> int:
    """Serve an editor until it ends. Raises UsageError if the extra is missing."""
    need("lsp", "the language server")
    from qlc.cli.lsp_server import server_of
    from qlc.cli.lsp_service import Compilers

    usual = catalog_path(options.catalog or ("drive" if options.demo else None))
    server_of(Compilers(lambda: open_compiler(options), usual), VERSION).start_io()
    return 0
