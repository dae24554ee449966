"""The commands of the command line, with their options and what `qlc --help` says of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from qlc.base.version import VERSION

EXIT_CODES = """exit codes:
  0  answered, even if the answer is empty
  1  the query has errors, or a check found some
  2  wrong usage of the command
  3  a clarification: a name matches several entities, or words can be read in several ways
  4  not found, cannot be answered exactly, not understood, or not a question
  5  the search server failed or did not answer

$QLC_LOG names a file for technical details.
"""


class _Parser(argparse.ArgumentParser):
    """What is wrong with the arguments in a sentence, not below all options that there are."""

    def error(self, message: str) -> NoReturn:
        self.usage_error(self.prog, message)

    def usage_error(self, command: str, message: str) -> NoReturn:
        self.exit(2, f"{command}: {message}\n'{command} --help' lists the options.\n")

    def read(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """The arguments of a command: an option that it does not have is reported with the help of that command."""
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            named = [one for one in unknown if one.startswith("-")] or unknown  # others are its values, or the query
            self.usage_error(f"{self.prog} {options.command}", f"unrecognized arguments: {' '.join(named)}")
        return options


Options = Callable[[argparse.ArgumentParser], None]


class Command(NamedTuple):
    """What a command is for, and the options that it takes."""

    help: str
    options: tuple[Options, ...]


def parser() -> _Parser:
    top = _Parser(
        prog="qlc",
        description="Ask an Elasticsearch index questions in plain English, or in a small typed query language.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"qlc {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        made = commands.add_parser(name, help=command.help)
        for add in command.options:
            add(made)
    return top


def _actions(command: argparse.ArgumentParser, *names: str) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    """The actions of a command. Their names say what is missing where none is given."""
    return command.add_subparsers(dest="action", metavar="|".join(names), required=True)


def _pages(run: argparse.ArgumentParser) -> None:
    run.add_argument("--size", type=_positive, default=10, metavar="N", help="hits to print (default 10)")
    run.add_argument("--all", action="store_true", help="print every hit, page after page")
    written = run.add_mutually_exclusive_group()
    written.add_argument("--csv", dest="export", action="store_const", const="csv", help="every row as CSV")
    written.add_argument("--plain-csv", dest="export", action="store_const", const="plain-csv",
                         help="as --csv, but without the ' that keeps spreadsheets from reading a text as a formula")
    written.add_argument("--ndjson", dest="export", action="store_const", const="ndjson", help="every row as JSON")
    written.add_argument("--chart", action="store_true", help="the numbers of groups, such as months, as bars")
    run.add_argument("--cursor", help="continue after an earlier page")
    run.add_argument(
        "--choose", action="append", default=[], metavar="NUMBER", help="the option to take, by number or id"
    )
    run.add_argument("--token", action="append", default=[], metavar="TOKEN", help="the question that --choose answers")


def _chat(command: argparse.ArgumentParser) -> None:
    command.add_argument("--id", metavar="ID", help="store the conversation under this id, or continue it")
    _store(command)
    command.add_argument("--size", type=_positive, default=10, metavar="N", help="hits per page (default 10)")


def _conversation(command: argparse.ArgumentParser) -> None:
    actions = _actions(command, "show", "delete", "list")
    purposes = {"show": "print what was said", "delete": "delete a conversation", "list": "list the ids, newest first"}
    for name, purpose in purposes.items():
        action = actions.add_parser(name, help=purpose)
        if name != "list":
            action.add_argument("id", metavar="ID")
        _store(action)
        _json(action)


def _prompt(command: argparse.ArgumentParser) -> None:
    command.add_argument("--id", metavar="ID", help="ask in this stored conversation")
    _store(command)
    command.add_argument("--no-values", action="store_true", help="leave out names and values from the index")


def _replay(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="what 'qlc ask --corpus CORPUS --json' printed, or - for input")
    command.add_argument("--again", action="store_true", help="ask the language model again, and compare what it says")


def _dry(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dry", action="store_true", help="do not run; show placeholders for the results of lookups")


def _eval(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file",
        metavar="QUESTIONS",
        help='lines {"id", "text"} or {"id", "turns": [{"text"}]}; with --corpus {"id", "question"}',
    )
    command.add_argument("--gold", metavar="FILE", help="the right answers, by question id")
    command.add_argument("--feedback", metavar="EVENTS",
                         help="a log with feedback, added to QUESTIONS and --gold first")
    command.add_argument("--answers", metavar="OUT", help="store answers here; questions with one are not asked again")
    command.add_argument("--parallel", type=_positive, default=1, metavar="N",
                         help="with --corpus: questions asked at a time (default 1)")
    command.add_argument("--deadline", type=float, metavar="SECONDS",
                         help="with --corpus: the time for one question, with its calls of a model (default 30)")


def _fmt(command: argparse.ArgumentParser) -> None:
    command.add_argument("query", help="the query, a file, or - for standard input")
    command.add_argument("--width", type=_positive, default=100, metavar="N")
    command.add_argument("--write", action="store_true", help="write the file back")
    _json(command)


def _complete(command: argparse.ArgumentParser) -> None:
    command.add_argument("--cursor", type=int, metavar="N", help="character offset (default: the end)")


def _index(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", help="FILE.ndjson or FILE.ndjson.gz")
    command.add_argument("--mapping", metavar="FILE", help="index body (JSON); without it Elasticsearch infers types")
    command.add_argument("--name", "--index", metavar="INDEX", help="the index (default: the file's name)")
    command.add_argument("--id", metavar="PATH", help="the field that holds the id (default: the line's number)")
    command.add_argument("--fresh", action="store_true", help="delete the index first")


def _catalog(command: argparse.ArgumentParser) -> None:
    actions = _actions(command, "check", "draft")
    checked = actions.add_parser("check", help="check a catalog against the mapping of its index")
    checked.add_argument("file", help="CATALOG.yaml")
    checked.add_argument("--mapping", metavar="FILE", help="index body (JSON), in place of a live index")
    _connection(checked)
    draft = actions.add_parser("draft", help="draft a catalog from a live index")
    draft.add_argument("index", nargs="*", help="indices, aliases or patterns (default: the only one there is)")
    draft.add_argument("--model", metavar="NAME", help="a language model proposes words, conditions and examples")
    draft.add_argument("--documents", metavar="MODULE", help="from the Document classes of a module: shop.models")
    _connection(draft)


def _corpus(command: argparse.ArgumentParser) -> None:
    actions = _actions(command, "add", "search", "status", "...")

    def action(name: str, purpose: str, *, json: bool = True) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=purpose)
        made.add_argument("corpus", metavar="CORPUS", help="its folder, or with --url its name on the server")
        _server(made)
        if json:
            _json(made)
        return made

    made = action("create", "make a corpus")
    made.add_argument("--schema", metavar="FILE", help="corpus.yaml: its buckets and their fields")
    made.add_argument("--shards", type=_positive, default=1, metavar="N", help="parts of its index, on a cluster")
    add = action("add", "add files, and those below folders; makes the corpus if there is none")
    add.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    _folders(add)
    add.add_argument("--schema", metavar="FILE", help="corpus.yaml, in place of the one that the corpus has")
    add.add_argument("--prune", action="store_true", help="drop what the corpus has from other files")
    add.add_argument("--processes", type=_positive, metavar="N", help="files read at once (default: one per core)")
    add.add_argument("--extract", choices=("model",), help="a language model reads values, checked in the file")
    add.add_argument("--model", metavar="NAME", help="the model for --extract (default: $QLC_MODEL)")
    add.add_argument("--tokens", type=_positive, default=2_000_000, metavar="N", help="of --extract (default 2000000)")
    prompt = action("prompt", "print what --extract model would send for a file; nothing is sent")
    prompt.add_argument("path", metavar="PATH", help="the file")
    action("status", "what it has, which files have no text and why, how many documents have each field")
    shown = action("show", "a document with its values, and where in it each of them is")
    shown.add_argument("file", metavar="FILE", help="its name in the corpus")
    draft = actions.add_parser("draft", help="propose a corpus.yaml for files")
    draft.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    _folders(draft)
    action("catalog", "print the catalog that qlc makes of its corpus.yaml", json=False)
    embed = action("embed", "make the vectors of passages that have none, for searches by meaning")
    embed.add_argument("--endpoint", metavar="ID", help="an inference endpoint of the server makes them")
    remove = action("remove", "drop files by name, or the whole corpus")
    remove.add_argument("patterns", nargs="*", metavar="FILE", help="names of files in the corpus, such as 'drafts/*'")
    remove.add_argument("--all", action="store_true", help="the whole corpus")
    search = action("search", "search for passages, best first")
    search.add_argument("text", metavar="TEXT", help="the text to search for")
    search.add_argument("--by", choices=("words", "meaning", "both"), help="how to rank them (default: all it can)")
    search.add_argument("--where", default="", metavar="CONDITION", help="a condition of the query language")
    search.add_argument("--limit", type=_positive, default=10, metavar="N", help="passages to print (default 10)")
    search.add_argument(
        "--per-document", type=_positive, default=3, metavar="N", help="passages of one document (default 3)"
    )
    search.add_argument("--catalog", metavar="FILE", help="what 'qlc corpus catalog' printed, with access rules")
    _when(search)
    search.set_defaults(demo=False)


def _folders(command: argparse.ArgumentParser) -> None:
    command.add_argument("--metadata", metavar="FILE", help="values for fields of files (CSV or JSON; default: "
                         "metadata.csv or metadata.json at the top of the folder)")  # fmt: skip
    command.add_argument("--follow-links", action="store_true", help="read what links in the folders lead to, too")


def _repair(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", help="the folder")
    command.add_argument("--check", action="store_true", help="only report what is wrong")
    command.add_argument("--into", metavar="NEW", help="copy the readable documents into a new folder")
    _json(command)


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _store(command: argparse.ArgumentParser) -> None:
    command.add_argument("--store", metavar="FILE",
                         help="where conversations are stored (default: $QLC_CONVERSATIONS, else the state folder)")


def _reading(command: argparse.ArgumentParser) -> None:
    _translators(command)
    forced = command.add_mutually_exclusive_group()
    forced.add_argument("--words", dest="read_as", action="store_const", const="words", help="read as words only")
    forced.add_argument("--program", dest="read_as", action="store_const", const="program", help="read as a query only")
    command.set_defaults(read_as="auto")


def _translators(command: argparse.ArgumentParser) -> None:
    _forms_file(command)
    asked = command.add_mutually_exclusive_group()
    _model(asked)
    asked.add_argument("--rules-only", action="store_true", help="no language model, even if one is configured")
    command.add_argument("--model-url", metavar="URL", help="the server of the language model, such as "
                         "http://localhost:11434/v1")  # fmt: skip
    command.add_argument("--mode", choices=("orchestrator", "single_loop"), default="orchestrator",
                         help="how a language model answers over a corpus: in stages, or in one loop with tools")
    command.add_argument("--budget", metavar="NAME=N,...", default="",
                         help="what an answer may cost: seconds, tokens, cost (US dollars), rounds; over a corpus "
                         "also calls of the model, searches, tools")


def _forms_file(command: argparse.ArgumentParser) -> None:
    command.add_argument("--forms", metavar="FILE", help="taught forms (default: NAME.forms.yaml beside the catalog)")


def _teach(command: argparse.ArgumentParser) -> None:
    command.add_argument("question", help="the question in words")
    command.add_argument("program", help="the query that answers it")
    command.add_argument("--origin", choices=("person", "qa"), default="person", help="who confirmed it")
    _forms_file(command)
    _target(command)
    _when(command)


def _forms(command: argparse.ArgumentParser) -> None:
    actions = _actions(command, "list", "test", "drop")
    purposes = {"list": "print the forms", "test": "check that each gives the query that it was taught with",
                "drop": "remove a form"}  # fmt: skip
    for name, purpose in purposes.items():
        action = actions.add_parser(name, help=purpose)
        if name == "drop":
            action.add_argument("id", metavar="ID", help="as 'qlc forms list' prints it")
        _forms_file(action)
        _target(action)
        _when(action)


def _model(command: argparse._ActionsContainer) -> None:
    command.add_argument("--model", metavar="NAME",
                         help="the language model for what the rules do not understand (default: $QLC_MODEL)")


def _tokens(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jwt-key", metavar="KEY", help="who may ask, by token (over HTTP): a file with a public key "
                         "(PEM) or a secret, or the https address of a key set")  # fmt: skip
    command.add_argument("--jwt-algorithm", action="append", metavar="NAME",
                         help="of tokens (default: all that fit the key)")  # fmt: skip
    command.add_argument("--jwt-audience", metavar="TEXT", help="the 'aud' that tokens must have")
    command.add_argument("--jwt-issuer", metavar="TEXT", help="the 'iss' that tokens must have")
    command.add_argument("--claim", action="append", default=[], metavar="NAME=CLAIM",
                         help="a value for access rules, from a claim of the token; a token without it is refused")


def _serve(command: argparse.ArgumentParser) -> None:
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default 127.0.0.1)")
    command.add_argument("--port", type=_port, default=8765, metavar="N", help="default 8765; 0 takes a free one")
    command.add_argument("--api-keys", metavar="FILE", help="who may ask, by key: a YAML list of name, sha256, context")
    _tokens(command)
    command.add_argument("--no-auth", action="store_true", help="let everyone ask who can reach the address")
    command.add_argument("--store", metavar="WHERE", help="where conversations are stored: a file (SQLite), or an "
                         "address: postgresql://, redis:// (default: in memory)")  # fmt: skip
    command.add_argument("--files", metavar="FOLDER", help="where the files of the corpus are: shows their pages")
    command.add_argument("--rate", default="300/minute", metavar="N/PERIOD",
                         help="requests allowed to a caller (default 300/minute), or none")
    command.add_argument("--rate-storage", default="async+memory://", metavar="ADDRESS",
                         help="where requests are counted, such as async+redis://HOST (default: in memory)")
    command.add_argument("--deadline", type=float, default=30.0, metavar="SECONDS", help="for one answer (default 30)")
    command.add_argument("--concurrent", type=_positive, default=16, metavar="N", help="answers at a time (default 16)")
    command.add_argument("--queue", type=int, default=64, metavar="N", help="requests that may wait (default 64)")
    command.add_argument("--max-body", type=_positive, default=1_000_000, metavar="BYTES", help="default 1000000")
    command.add_argument("--grace", type=_positive, default=30, metavar="SECONDS",
                         help="the time to finish answers after a signal to stop (default 30)")
    command.add_argument("--proxy", metavar="ADDRESS", help="a proxy whose X-Forwarded headers are believed")
    command.add_argument("--show-requests", action="store_true",
                         help="let /v1/explain show the requests, with the conditions of the access rules")


def _ui(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", nargs="?", metavar="FOLDER", help="a folder of files, a corpus, or a folder of the "
                         "embedded engine")  # fmt: skip
    command.add_argument("--into", metavar="CORPUS", help="the folder of the corpus that the files are added to "
                         "(default: one in the state folder)")  # fmt: skip
    command.add_argument("--schema", metavar="FILE", help="corpus.yaml for the files: their buckets and fields")
    _folders(command)
    command.add_argument("--port", type=_port, metavar="N", help="default 8765, or a free one where that is taken")
    command.add_argument("--no-browser", action="store_true", help="only print the address")


def _query(command: argparse.ArgumentParser) -> None:
    command.add_argument("query", help="the query, or - for standard input")


def _connection(command: argparse.ArgumentParser) -> None:
    _server(command)
    command.add_argument("--data", metavar="FOLDER", help="a folder of the embedded engine (default: $QLC_DATA)")
    _json(command)


def _server(command: argparse.ArgumentParser) -> None:
    command.add_argument("--url", help="an Elasticsearch server; separate several with commas (default: $QLC_URL)")
    command.add_argument("--api-key", metavar="KEY", help="server API key (default: $QLC_API_KEY)")
    command.add_argument("--basic-auth", metavar="USER:PASSWORD", help="server login (default: $QLC_BASIC_AUTH)")
    command.add_argument("--bearer-auth", metavar="TOKEN", help="server token (default: $QLC_BEARER_AUTH)")
    command.add_argument("--ca-certs", metavar="FILE", help="certificates to trust for TLS (default: $QLC_CA_CERTS)")


def _target(command: argparse.ArgumentParser) -> None:
    command.add_argument("--catalog", metavar="FILE", help="file or shipped name, like drive (default: $QLC_CATALOG)")
    command.add_argument("--index", help="the index, if there is no catalog")
    command.add_argument("--mapping", metavar="FILE", help="index body (JSON), in place of a live index")
    command.add_argument("--corpus", metavar="CORPUS", help="a corpus: its folder, or with --url its name on a server")
    command.add_argument("--demo", action="store_true", help="the sample document store that ships with qlc")
    _connection(command)


def _when(command: argparse.ArgumentParser) -> None:
    command.add_argument("--now", help="the time that 'today' refers to, ISO 8601 (default: the clock)")
    command.add_argument("--tz", metavar="ZONE", help="time zone, such as Europe/Berlin or +02:00 (default: UTC)")
    command.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="bind $NAME (JSON or text)")
    command.add_argument("--context", action="append", default=[], metavar="NAME=VALUE",
                         help="a value for access rules (JSON or text)")


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) < 65_536):
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not '{text}'")
    return int(text)


def _agents(command: argparse.ArgumentParser) -> None:
    command.add_argument("--http", metavar="HOST:PORT", help="serve streamable HTTP there, in place of standard input")
    _tokens(command)
    command.add_argument("--public-url", metavar="URL", help="the address that clients use, if it is another one")


def _positive(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not '{text}'")
    return int(text)


COMMANDS = {
    "run": Command("run a query, or answer a question in words",
                   (_query, _target, _when, _pages, _reading)),
    "ask": Command("answer a question in words, or run a query",
                   (_query, _target, _when, _pages, _reading)),
    "chat": Command("ask in a conversation: choices by number, show more, follow-up questions",
                    (_chat, _translators, _target, _when)),
    "conversation": Command("show or delete stored conversations", (_conversation,)),
    "decompose": Command("show how a question over a corpus is analysed: buckets, constraints, names, topic words",
                         (_query, _target, _when, _translators)),
    "prompt": Command("show the prompt that a language model would get for a question",
                      (_query, _target, _when, _model, _prompt)),
    "replay": Command("check whether a stored answer over a corpus is the same today, or what changed",
                      (_replay, _target, _when, _translators)),
    "teach": Command("keep a question and its query as a form: it answers the same question about other values",
                     (_teach,)),
    "forms": Command("list, test or drop taught forms", (_forms,)),
    "explain": Command("show every stage of a query, or how words become one",
                       (_query, _target, _when, _reading, _dry)),
    "check": Command("check a query without running it", (_query, _target, _when)),
    "eval": Command("ask the questions in a file and count the right answers",
                    (_eval, _translators, _target, _when)),
    "fmt": Command("print a query in canonical form, comments kept", (_fmt,)),
    "complete": Command("suggest what can come at the end of a query, or at --cursor",
                        (_query, _target, _when, _complete)),
    "mcp": Command("serve agents over the Model Context Protocol (extra: mcp)",
                   (_agents, _translators, _target, _when)),
    "index": Command("load newline-delimited JSON into an index", (_index, _connection)),
    "catalog": Command("check or draft a catalog", (_catalog,)),
    "corpus": Command("a corpus of files: add, status, draft, search and more", (_corpus,)),
    "serve": Command("answer over HTTP: questions, conversations, exports, pages of documents",
                     (_serve, _translators, _target, _when)),
    "ui": Command("open a page in the browser that asks a folder of files, a corpus or an index",
                  (_ui, _translators, _target, _when)),
    "repair": Command("check a folder of the embedded engine and repair it", (_repair,)),
}
