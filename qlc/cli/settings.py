"""The settings of each command: a frozen class whose fields are its options. `qlc.cli.main` makes its parser of them.

    size: int = option("hits per page (default 10)", 10, type=positive, metavar="N")  ->  --size N

They are dataclasses to mypy. `dataclasses` itself would take 40 ms for all of them, longer than 'qlc --help' takes.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, dataclass_transform, get_args

if TYPE_CHECKING:
    from pathlib import Path

    from qlc.service.found import Found

Mode = Literal["orchestrator", "single_loop"]
Ranking = Literal["words", "meaning", "both"]
ReadAs = Literal["auto", "program", "words"]


class Option(NamedTuple):
    default: Any
    how: dict[str, Any]
    is_argument: bool = False


def option(help: str, default: Any = None, **how: Any) -> Any:
    """Declare a field as an option, `how` for argparse. `flags` are its names, if they are not that of the field;
    `constants` are flags that each set a value; options that are `apart` by one word exclude each other."""
    return Option(default, {"help": help, **how}, how.get("flags") == ())


def argument(help: str, **how: Any) -> Any:
    """Declare a field as an argument without a flag."""
    return option(help, flags=(), **how)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option, argument))
class Settings:
    options: ClassVar[dict[str, Option]] = {}
    """Its arguments, its own options, then those that it shares with other commands: the order of its help."""
    by_environment: ClassVar[bool] = False
    """Whether an option that is not given is read from `$QLC_` and its name, as for `qlc serve`."""

    def __init_subclass__(cls) -> None:
        cls.options = {}
        for one in cls.__mro__:
            new = {k: v for k, v in vars(one).items() if isinstance(v, Option) and k not in cls.options}
            arguments = {k: v for k, v in new.items() if v.is_argument}  # CORPUS before the FILE that is added to it
            cls.options = {**arguments, **cls.options, **new}

    def __init__(self, **given: Any) -> None:
        vars(self).update({name: one.default for name, one in self.options.items()}, **given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"'{name}' of a command's settings does not change")


def port(text: str) -> int:
    if not (text.isdecimal() and int(text) < 65_536):
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not '{text}'")
    return int(text)


def whole(text: str, least: int = 0) -> int:
    if not (text.isdecimal() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least {least}, not '{text}'")
    return int(text)


def positive(text: str) -> int:
    return whole(text, 1)


def seconds(text: str) -> float:
    try:
        if 0 < (found := float(text)) < 10_000_000:
            return found
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, such as 30, not '{text}'")


ELSEWHERE = frozenset({"url", "api_key", "basic_auth", "bearer_auth", "ca_certs", "data", "catalog", "model"})
"""Options whose variables every command reads, where it uses them."""
OF_QUESTIONS = frozenset({"now", "tz", "param", "context"})
"""Options that say what a question means: their variables count for every command."""
NO_VARIABLES = frozenset({"demo", "json"})
"""Options without a variable: `$QLC_DEMO` is the folder of the sample data."""
_WITHOUT_A_FLAG = ("cursor_key", "log", "demo", "progress", "conversations")
_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def from_environment(kind: type[Settings], given: Collection[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that variables set: `QLC_PORT=80` -> `{"port": 80}`. Options that are `given` as flags, or
    that exclude one of these, keep their flags. Raises UsageError for a value that the flag would not take."""
    if kind.by_environment:
        _refuse_unknown(environment)
    read_here = kind.options if kind.by_environment else OF_QUESTIONS & kind.options.keys()
    decided = {kind.options[name].how.get("apart", name) for name in given}
    return {
        name: _value(f"QLC_{name.upper()}", kind.options[name], text)
        for name in read_here
        if name not in ELSEWHERE | NO_VARIABLES and kind.options[name].how.get("apart", name) not in decided
        and (text := environment.get(f"QLC_{name.upper()}", "").strip())
    }  # fmt: skip


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    """Raise UsageError for a variable that is spelled nearly as a setting, which would do nothing: `QLC_API_KEIS`."""
    from qlc.base.errors import UsageError
    from qlc.base.words.spelling import nearest_word

    known = {f"QLC_{name.upper()}" for kind in (Serve, Agents) for name in (*kind.options, *_WITHOUT_A_FLAG)}
    for name in sorted({*environment} - known):
        near = nearest_word(name, [one.lower() for one in known]) if name.startswith("QLC_") else None
        if near is not None:
            raise UsageError(f"there is no variable ${name}; did you mean ${near.upper()}?")


def _value(variable: str, one: Option, text: str) -> Any:
    """Read the value of a variable: a switch, one value, or several with spaces between (quoted as in a shell)."""
    from qlc.base.errors import UsageError

    if one.default is False and text.lower() not in _SWITCH:
        raise UsageError(f"${variable} must be on or off, not '{text}'")
    if one.default is False:
        return _SWITCH[text.lower()]
    choices = one.how.get("choices", ())
    if choices and text not in choices:
        raise UsageError(f"${variable} must be one of {', '.join(choices)}, not '{text}'")
    try:
        if one.how.get("action") == "append":
            import shlex

            return shlex.split(text)
        return one.how.get("type", str)(text)
    except argparse.ArgumentTypeError as problem:
        raise UsageError(f"${variable} {problem}") from None
    except ValueError:
        raise UsageError(f"${variable} cannot be read: '{text}'") from None


class Server(Settings):
    url: str | None = option("an Elasticsearch server; separate several with commas (default: $QLC_URL)")
    api_key: str | None = option("server API key (default: $QLC_API_KEY)", metavar="KEY")
    basic_auth: str | None = option("server login (default: $QLC_BASIC_AUTH)", metavar="USER:PASSWORD")
    bearer_auth: str | None = option("server token (default: $QLC_BEARER_AUTH)", metavar="TOKEN")
    ca_certs: str | None = option("certificates to trust for TLS (default: $QLC_CA_CERTS)", metavar="FILE")


class Connection(Server):
    data: str | None = option("a folder of the embedded engine (default: $QLC_DATA)", metavar="FOLDER")
    json: bool = option("print JSON", False)


class Target(Connection):
    catalog: str | None = option("file or shipped name, like drive (default: $QLC_CATALOG)", metavar="FILE")
    index: str | None = option("the index, if there is no catalog")
    mapping: str | None = option("index body (JSON), in place of a live index", metavar="FILE")
    corpus: str | None = option("a corpus: its folder, or with --url its name on a server", metavar="CORPUS")
    demo: bool = option("the sample document store that ships with qlc", False)


class When(Settings):
    now: str | None = option("the time that 'today' refers to, ISO 8601 (default: the clock)")
    tz: str | None = option("time zone, such as Europe/Berlin or +02:00 (default: UTC)", metavar="ZONE")
    param: Sequence[str] = option("bind $NAME (JSON or text)", (), action="append", metavar="NAME=VALUE")
    context: Sequence[str] = option("a value for access rules (JSON or text)", (), action="append",
                                    metavar="NAME=VALUE")  # fmt: skip


class Question(When, Target):
    """Options of every command that asks or checks something."""


class Taught(Question):
    forms: str | None = option("taught forms (default: NAME.forms.yaml beside the catalog)", metavar="FILE")


class Asking(Taught):
    """Options of every command that answers questions in words."""

    model: str | None = option("the language model for what the rules do not understand (default: $QLC_MODEL)",
                               metavar="NAME", apart="model")  # fmt: skip
    rules_only: bool = option("no language model, even if one is configured", False, apart="model")
    model_url: str | None = option("the server of the language model, such as http://localhost:11434/v1", metavar="URL")
    record: str | None = option("add the replies of the language model to this file; what is in it is not asked again",
                                metavar="FILE", apart="replies")  # fmt: skip
    replay: str | None = option("take the replies of the language model from this file: without a key, and nothing is "
                                "sent", metavar="FILE", apart="replies")  # fmt: skip
    votes: int = option("ask the language model N times; where its programs differ, you are asked (default 1)", 1,
                        type=positive, metavar="N")  # fmt: skip
    mode: Mode = option("how a language model answers over a corpus: in stages, or in one loop with tools",
                        "orchestrator", choices=get_args(Mode))  # fmt: skip
    budget: str = option("what an answer may cost: seconds, tokens, cost (US dollars), rounds; over a corpus also "
                         "calls of the model, searches, tools", "", metavar="NAME=N,...")  # fmt: skip


class Reading(Asking):
    query: str = argument("the query, or - for standard input")
    read_as: ReadAs = option("", "auto", constants={"words": "read as words only", "program": "read as a query only"})


class Stored(Settings):
    store: str | None = option("where conversations are stored (default: $QLC_CONVERSATIONS, else the state folder)",
                               metavar="FILE")  # fmt: skip


class Folders(Settings):
    metadata: str | None = option("values for fields of files (CSV or JSON; default: metadata.csv or metadata.json at "
                                  "the top of the folder)", metavar="FILE")  # fmt: skip
    follow_links: bool = option("read what links in the folders lead to, too", False)


class Tokens(Settings):
    jwt_key: str | None = option("who may ask, by token (over HTTP): a file with a public key (PEM) or a secret, or "
                                 "the https address of a key set", metavar="KEY")  # fmt: skip
    jwt_algorithm: Sequence[str] = option("of tokens (default: all that fit the key)", (), action="append",
                                          metavar="NAME")  # fmt: skip
    jwt_audience: str | None = option("the 'aud' that tokens must have", metavar="TEXT")
    jwt_issuer: str | None = option("the 'iss' that tokens must have", metavar="TEXT")
    claim: Sequence[str] = option("a value for access rules, from a claim of the token; a token without it is refused",
                                  (), action="append", metavar="NAME=CLAIM")  # fmt: skip


# --- the commands -----------------------------------------------------------------------------------------------------


class Run(Reading):
    size: int = option("hits to print (default 10)", 10, type=positive, metavar="N")
    all: bool = option("print every hit, page after page", False)
    all_columns: bool = option("print every field of each hit that you may see", False)
    export: str | None = option("", constants={
        "csv": "every row as CSV",
        "plain-csv": "as --csv, but without the ' that keeps spreadsheets from reading a text as a formula",
        "ndjson": "every row as JSON",
    }, apart="written")  # fmt: skip
    export_to: str | None = option("every row in a file: .csv, .xlsx, .parquet or .ndjson", flags=("--export",),
                                   metavar="FILE", apart="written")  # fmt: skip
    chart: bool = option("the numbers of groups, such as months, as bars", False, apart="written")
    cursor: str | None = option("continue after an earlier page")
    choose: Sequence[str] = option("the option to take, by number or id", (), action="append", metavar="NUMBER")
    token: Sequence[str] = option("the question that --choose answers", (), action="append", metavar="TOKEN")


class Chat(Stored, Asking):
    id: str | None = option("store the conversation under this id, or continue it", metavar="ID")
    size: int = option("hits per page (default 10)", 10, type=positive, metavar="N")


class Conversations(Stored):
    json: bool = option("print JSON", False)


class ShowConversation(Conversations):
    id: str = argument("", metavar="ID")


class DeleteConversation(ShowConversation): ...


class Decompose(Asking):
    query: str = argument("the query, or - for standard input")


class Prompt(Stored, Question):
    query: str = argument("the query, or - for standard input")
    model: str | None = option("the language model for what the rules do not understand (default: $QLC_MODEL)",
                               metavar="NAME")  # fmt: skip
    id: str | None = option("ask in this stored conversation", metavar="ID")
    no_values: bool = option("leave out names and values from the index", False)


class Replay(Asking):
    file: str = argument("what 'qlc ask --corpus CORPUS --json' printed, or - for input", metavar="FILE")
    again: bool = option("ask the language model again, and compare what it says", False)


class Teach(Taught):
    question: str = argument("the question in words")
    program: str = argument("the query that answers it")
    origin: Literal["person", "qa"] = option("who confirmed it", "person", choices=("person", "qa"))


class DropForm(Taught):
    id: str = argument("as 'qlc forms list' prints it", metavar="ID")


class Explain(Reading):
    dry: bool = option("do not run; show placeholders for the results of lookups", False)
    share: bool = option("for a report: structure and types as JSON, without values", False)


class Check(Question):
    query: str = argument("the query, or - for standard input")


class Eval(Asking):
    file: str = argument('lines {"id", "text"} or {"id", "turns": [{"text"}]}; with --corpus {"id", "question"}',
                         metavar="QUESTIONS")  # fmt: skip
    gold: str | None = option("the right answers, by question id", metavar="FILE")
    feedback: str | None = option("a log with feedback, added to QUESTIONS and --gold first", metavar="EVENTS")
    answers: str | None = option("store answers here; questions with one are not asked again", metavar="OUT")
    parallel: int = option("with --corpus: questions asked at a time (default 1)", 1, type=positive, metavar="N")
    deadline: float | None = option("with --corpus: the time for one question, with its calls of a model (default 30)",
                                    type=seconds, metavar="SECONDS")  # fmt: skip


class Format(Settings):
    query: str = argument("the query, a file, or - for standard input")
    width: int = option("", 100, type=positive, metavar="N")
    write: bool = option("write the file back", False)
    json: bool = option("print JSON", False)


class Complete(Check):
    cursor: int | None = option("character offset (default: the end)", type=whole, metavar="N")


class Agents(Tokens, Asking):
    by_environment = True
    http: str | None = option("serve streamable HTTP there, in place of standard input", metavar="HOST:PORT")
    public_url: str | None = option("the address that clients use, if it is another one", metavar="URL")


class LanguageServer(Target):
    """`qlc lsp`: the catalog and the index of files `.qlc`; `*.qlc.yaml` name their own."""


class Load(Connection):
    files: Sequence[str] = argument("tables (CSV, TSV, XLSX, ODS, SQLite, Parquet, JSON; also packed by gzip or "
                                    "zip) or JSON lines", nargs="+", metavar="FILE")  # fmt: skip
    set: Sequence[str] = option("the type of a column of a table: amount=money:EUR, date=date:dmy", (), action="append",
                                metavar="COLUMN=TYPE")  # fmt: skip
    types: str | None = option("types of columns, such as the file that is written beside the store", metavar="FILE")
    mapping: str | None = option("index body (JSON); without it Elasticsearch infers types", metavar="FILE")
    name: str | None = option("the index (default: the file's name)", flags=("--name", "--index"), metavar="INDEX")
    id: str | None = option("the field or column that holds the id (default: the line's number); a row takes the "
                            "place of one with the same id", flags=("--key", "--id"), metavar="COLUMN")  # fmt: skip
    fresh: bool = option("delete the index first", False, flags=("--replace", "--fresh"))


class CheckCatalog(Connection):
    file: str = argument("CATALOG.yaml")
    mapping: str | None = option("index body (JSON), in place of a live index", metavar="FILE")


class DraftCatalog(Connection):
    index: Sequence[str] = option("indices, aliases or patterns (default: the only one there is)", (), flags=(),
                                  nargs="*")  # fmt: skip
    model: str | None = option("a language model proposes words, conditions and examples", metavar="NAME")
    documents: str | None = option("from the Document classes of a module: shop.models", metavar="MODULE")


class OfCorpus(Server):
    corpus: str = argument("its folder, or with --url its name on the server", metavar="CORPUS")


class Status(OfCorpus):
    json: bool = option("print JSON", False)


class CreateCorpus(Status):
    schema: str | None = option("corpus.yaml: its buckets and their fields", metavar="FILE")
    shards: int = option("parts of its index, on a cluster", 1, type=positive, metavar="N")


class DraftCorpus(Folders):
    paths: Sequence[str] = argument("a file or a folder", nargs="+", metavar="PATH")
    most: int = option("files that fields are drafted from (default 100)", 100, type=positive, metavar="N")
    passed_over: Collection[Path] = ()
    """Files of the folders that `qlc ui` has loaded as tables."""


class AddFiles(DraftCorpus, Status):
    schema: str | None = option("corpus.yaml, in place of the one that the corpus has", metavar="FILE")
    prune: bool = option("drop what the corpus has from other files", False)
    processes: int | None = option("files read at once (default: one per core)", type=positive, metavar="N")
    seconds: int = option("most seconds for a file, or for a page of a scan (default 120)", 120, type=positive,
                          metavar="N")  # fmt: skip
    memory: int = option("most megabytes of memory for a file (default 1024)", 1024, type=positive, metavar="MB")
    extract: str | None = option("a language model reads values, checked in the file", choices=("model",))
    model: str | None = option("the model for --extract (default: $QLC_MODEL)", metavar="NAME")
    tokens: int = option("of --extract (default 2000000)", 2_000_000, type=positive, metavar="N")


class ProposeLabels(Status):
    accept: str | None = option("the corpus.yaml that the clear ones are written into", metavar="FILE")


class PromptForFile(Status):
    path: str = argument("the file", metavar="PATH")


class ShowFile(Status):
    file: str = argument("its name in the corpus", metavar="FILE")


class Embed(Status):
    endpoint: str | None = option("an inference endpoint of the server makes them", metavar="ID")


class RemoveFiles(Status):
    patterns: Sequence[str] = option("names of files in the corpus, such as 'drafts/*'", (), flags=(), nargs="*",
                                     metavar="FILE")  # fmt: skip
    all: bool = option("the whole corpus", False)


class SearchCorpus(When, Status):
    text: str = argument("the text to search for", metavar="TEXT")
    by: Ranking | None = option("how to rank them (default: all it can)", choices=get_args(Ranking))
    where: str = option("a condition of the query language", "", metavar="CONDITION")
    limit: int = option("passages to print (default 10)", 10, type=positive, metavar="N")
    per_document: int = option("passages of one document (default 3)", 3, type=positive, metavar="N")
    catalog: str | None = option("what 'qlc corpus catalog' printed, with access rules", metavar="FILE")


class Serve(Tokens, Asking):
    by_environment = True
    host: str = option("where to listen (default 127.0.0.1)", "127.0.0.1", metavar="ADDRESS")
    port: int = option("default 8765; 0 takes a free one", 8765, type=port, metavar="N")
    api_keys: str | None = option("who may ask, by key: a YAML list of name, sha256, context", metavar="FILE")
    no_auth: bool = option("let everyone ask who can reach the address", False)
    store: str | None = option("where conversations are stored: a file (SQLite), or an address: postgresql://, "
                               "redis:// (default: in memory)", metavar="WHERE")  # fmt: skip
    files: str | None = option("where the files of the corpus are: shows their pages", metavar="FOLDER")
    rate: str = option("requests allowed to a caller (default 300/minute), or none", "300/minute", metavar="N/PERIOD")
    rate_storage: str = option("where requests are counted, such as async+redis://HOST (default: in memory)",
                               "async+memory://", metavar="ADDRESS")  # fmt: skip
    deadline: float = option("for one answer (default 30)", 30.0, type=seconds, metavar="SECONDS")
    concurrent: int = option("answers at a time (default 16)", 16, type=positive, metavar="N")
    queue: int = option("requests that may wait (default 64)", 64, type=whole, metavar="N")
    max_body: int = option("default 1000000", 1_000_000, type=positive, metavar="BYTES")
    grace: int = option("the time to finish answers after a signal to stop (default 30)", 30, type=positive,
                        metavar="SECONDS")  # fmt: skip
    proxy: str | None = option("a proxy whose X-Forwarded headers are believed", metavar="ADDRESS")
    show_requests: bool = option("let /v1/explain show the requests, with the conditions of the access rules", False)
    of_page: bool = False
    """`qlc ui` serves, which takes a folder too."""
    found: Found | None = None
    """The tables and papers that `qlc ui` read."""


class Page(Folders, Asking):
    paths: Sequence[str] = option("a folder of files, tables (XLSX, CSV and others), a corpus, or a folder of the "
                                  "embedded engine", (), flags=(), nargs="*", metavar="PATH")  # fmt: skip
    set: Sequence[str] = option("the type of a column of a table: amount=money:EUR, date=date:dmy", (), action="append",
                                metavar="COLUMN=TYPE")  # fmt: skip
    into: str | None = option("the folder of the store for tables and papers (default: one in the state folder)",
                              metavar="STORE")  # fmt: skip
    schema: str | None = option("corpus.yaml for the files: their buckets and fields", metavar="FILE")
    port: int | None = option("default 8765, or a free one where that is taken", type=port, metavar="N")
    no_browser: bool = option("only print the address", False)


class Repair(Settings):
    folder: str = argument("the folder")
    check: bool = option("only report what is wrong", False)
    into: str | None = option("copy the readable documents into a new folder", metavar="NEW")
    json: bool = option("print JSON", False)
