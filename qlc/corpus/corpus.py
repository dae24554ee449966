"""A corpus: one or several folders of files in an index that can be queried."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from elasticsearch import BadRequestError

from qlc import telemetry
from qlc.base.driving import drive, in_place
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.extras import need
from qlc.base.options import RunOptions
from qlc.compiler.request import CannotAnswer
from qlc.mapping.catalog import Catalog, load_catalog, read_catalog
from qlc.mapping.shapes import mapping_answer, searched
from qlc.outcome import AggregateOut, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.store.clients import connect, has_index, is_embedded

from .adding import Adding, Progress, Report
from .checking import check_schema
from .embedders import Embedder, check_embedder, default_embedder
from .embedders.endpoint import PREFIX, InferenceEndpoint
from .embedding import EmbeddingProgress, embed_passages
from .index import CONTEXT, EXTRACTION, PASSAGE, VECTOR, catalog_text, index_definition, vector_mapping
from .limits import Limits
from .proposing import Proposal, proposals
from .ranker import EMBED, INSTALL, PassageRanker, Reranker, Vectors, check_reranker
from .rights import Stopped, as_catalog_has_it, check_identities, given_catalog, has_rules, hides_passages
from .schema import CorpusSchema, load_schema, read_schema
from .searching import PER_DOCUMENT, Ranking, passages_about
from .status import Document, Status, bucket_names, read_document, read_status
from .turns import turn
from .unread import unread_program

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

    from qlc.models.exchange import ModelRequest

    from .extraction import Extraction, Extractor

INDEX = "corpus"
"""The index of a corpus in a folder."""
_EMPTY = "version: 1\n"
_MOST_CATALOGS = 8
"""Number of catalogs that an open corpus caches, since callers may see different folders."""
STORE = "engine.sqlite3"
"""File name in a folder of the embedded engine."""


class Corpus:
    """An index of documents and passages with its schema. `create` and `open` return one. Thread-safe.

    Only one object at a time can write to a folder; any number can be open `read_only`. `embedder` replaces the model
    of the extra `semantic`; a string is the id of an inference endpoint of the server. `reranker` reorders the best
    passages. `catalog` is the corpus's own catalog with access rules and sensitive fields, which apply to every search;
    the `context` of a run has their values.
    """

    def __init__(
        self,
        client: Elasticsearch,
        index: str,
        *,
        folder: Path | None = None,
        embedder: Embedder | str | None = None,
        reranker: Reranker | None = None,
        catalog: str | Path | Catalog | None = None,
        clock: Callable[[], datetime] | None = None,
        is_lent: bool = True,
    ) -> None:
        """`folder`: that of the embedded engine. A client that `is_lent` is not closed with the corpus."""
        self._clock = clock
        self.client = client
        self.index = index
        self._folder = folder
        self._is_lent = is_lent
        self._embedder = self._given(embedder)
        self._reranker = check_reranker(reranker) if reranker is not None else None
        self._vectors: Vectors | None = None
        self._texts: Vectors | None = None
        self._catalogs: dict[tuple[object, ...], Catalog] = {}
        mapping = _mapping_of(client, index)
        meta = mapping.get("_meta", {}).get("qlc_corpus")
        if meta is None:
            raise UsageError(f"'{index}' is an index, not a corpus")
        self._meta: dict[str, Any] = meta
        self._has_context = CONTEXT in mapping["properties"]
        """False for a corpus of an earlier version, until files are added."""
        has_vectors = self.vectors_by is not None
        given = load_catalog(catalog) if isinstance(catalog, str | Path) else catalog
        self.given_catalog = given_catalog(given, index, has_vectors=has_vectors) if given is not None else None
        """The catalog that the corpus was opened with."""
        self.hides_passages = given is not None and hides_passages(given)
        """Whether passages have an access rule of their own, so that a caller may see a document but not all its
        passages."""
        if self.given_catalog is not None and has_rules(self.given_catalog):
            check_identities(client, index)
        self.schema = read_schema(self._meta["schema"])
        if embedder is not None:
            self._embedder_of_vectors()

    @classmethod
    def create(
        cls,
        target: str | Path,
        schema: str | Path | CorpusSchema | None = None,
        *,
        url: str | None = None,
        client: Elasticsearch | None = None,
        embedder: Embedder | str | None = None,
        reranker: Reranker | None = None,
        shards: int = 1,
        **options: Any,
    ) -> Self:
        """Create a corpus: in the folder `target`, or with `url` or `client` in the index `target` of a server.

        `schema` is the path of a `corpus.yaml`, or a loaded one. `shards` is the number of shards on a server, which
        cannot change later. `options` are those of `qlc.connect`.

        Raises CatalogError for a schema with errors, UsageError if the corpus exists already.
        """
        need("corpus", "a corpus")
        if isinstance(schema, CorpusSchema):
            read = schema
        else:
            read = load_schema(Path(schema)) if schema is not None else read_schema(_EMPTY)
        check_schema(read, Path(schema).name if isinstance(schema, str | Path) else "corpus.yaml")
        folder = _folder_of(target, url, client)
        if folder is not None and folder.is_dir() and any(folder.iterdir()) and not (folder / STORE).exists():
            raise UsageError(f"the folder '{target}' has other files in it: a corpus needs a folder of its own")
        with _opened(target, url, client, options) as (connected, index):
            if has_index(connected, index):
                raise UsageError(f"there is a corpus '{target}' already; 'qlc corpus add' adds files to it")
            definition = index_definition(read, shards)
            definition["mappings"]["_meta"] = {"qlc_corpus": {"version": 1, "schema": read.text}}
            connected.indices.create(index=index, **definition)
            is_lent = client is not None
            return cls(connected, index, folder=folder, embedder=embedder, reranker=reranker, is_lent=is_lent)

    @classmethod
    def open(
        cls,
        target: str | Path,
        *,
        url: str | None = None,
        client: Elasticsearch | None = None,
        read_only: bool = False,
        embedder: Embedder | str | None = None,
        reranker: Reranker | None = None,
        catalog: str | Path | Catalog | None = None,
        clock: Callable[[], datetime] | None = None,
        **options: Any,
    ) -> Self:
        """Open an existing corpus. Arguments as of `create`; `catalog` has access rules and sensitive fields, `clock`
        returns the time that these rules go by (default: the time of the machine).

        Raises UsageError if it does not exist, if another embedder made its vectors, or if the catalog is for another
        index; CatalogError for a catalog with errors.
        """
        need("corpus", "a corpus")
        folder = _folder_of(target, url, client)
        if folder is not None and not (folder / STORE).exists():
            raise _not_there(target)
        with _opened(target, url, client, {**options, "read_only": read_only}) as (connected, index):
            if not has_index(connected, index):
                raise _not_there(target)
            return cls(
                connected, index, folder=folder, embedder=embedder, reranker=reranker, catalog=catalog, clock=clock,
                is_lent=client is not None,
            )  # fmt: skip

    @classmethod
    def exists(cls, target: str | Path, *, url: str | None = None, **options: Any) -> bool:
        """Whether the folder or index exists, as a corpus or as anything else."""
        folder = _folder_of(target, url, None)
        if folder is not None and not (folder / STORE).exists():
            return False
        with _opened(target, url, None, {**options, "read_only": True}) as (client, index), client:
            return has_index(client, index)

    # --- files -------------------------------------------------------------------------------------------------------

    def add(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        prune: bool = False,
        processes: int | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
        extract: Literal["model"] | Extraction | None = None,
        metadata: str | Path | None = None,
        follow_links: bool = False,
        passed_over: Collection[Path] = (),
    ) -> Report:
        """Add files and folders. Files whose content is in the corpus already are not read again.

        - `prune`: remove the documents of all other files.
        - `processes`: the number of files that are read at the same time (default: one per core).
        - `progress`: a function that is called with a Step (done, total, name) after each file.
        - `extract`: "model" (the configured language model) or an Extraction: the model reads values for the fields of
          `corpus.yaml`, and each value is checked in the document. A document is sent once.
        - `metadata`: a CSV or JSON file with values for the fields of files, in place of a `metadata.csv` or
          `metadata.json` at the top of the folder.
        - `follow_links`: also read what links in the folders lead to. Pipes, sockets and devices are never read. What
          is left is in the report.
        - `passed_over`: files that are left out.

        After an error, the files before it stay; add again to continue.

        Raises UsageError for a path that does not exist, for `metadata` that cannot be used, or if no model is
        configured for `extract`; RequestFailed if the index cannot be written.
        """
        roots = [Path(paths)] if isinstance(paths, str | Path) else [Path(one) for one in paths]
        for root in roots:
            if not root.exists():
                raise UsageError(f"there is no file or folder '{root}'")
        with (
            nullcontext() if extract is None else closing(self._extractor(extract)) as extractor,
            self._writing(
                processes=processes, limits=limits, progress=progress, extractor=extractor, follow_links=follow_links,
                metadata=Path(metadata) if metadata is not None else None, passed_over=passed_over,
            ) as run,
        ):
            return run.add(roots, prune=prune)

    def _extractor(self, extract: Literal["model"] | Extraction) -> Extractor:
        from .extraction import Extraction, Extractor

        self.client.indices.put_mapping(index=self.index, properties={"extraction": EXTRACTION})
        return Extractor(Extraction() if extract == "model" else extract)

    def model_request(self, path: str | Path, extraction: Extraction | None = None) -> ModelRequest:
        """The request that a model would get for a file. Nothing is sent.

        Raises UsageError if there is no such file, no text in it, or no field to ask for.
        """
        from .extraction import Extraction, request_for

        return request_for(Path(path), self.schema, extraction or Extraction())

    def remove(self, *patterns: str) -> int:
        """Remove files by their names in the corpus, or by patterns such as `contracts/*`. Returns their number."""
        with self._writing() as run:
            return run.remove(patterns)

    def delete(self) -> None:
        """Delete the index of this corpus, with all its documents."""
        self.client.indices.delete(index=self.index)

    def set_schema(self, schema: str | Path) -> None:
        """Replace the `corpus.yaml`. Its fields exist at once; they have values after you add the files again.

        Raises CatalogError for a schema with errors, UsageError if a field would change its type: create a new corpus
        for that.
        """
        read = load_schema(Path(schema))
        check_schema(read, Path(schema).name)
        try:
            self._set_meta({"schema": read.text}, index_definition(read)["mappings"]["properties"])
        except BadRequestError as error:
            raise UsageError(
                f"the schema does not fit the index of this corpus; create a new corpus: {error.message}"
            ) from None
        self.schema = read

    def _set_meta(self, meta: dict[str, Any], properties: dict[str, Any]) -> None:
        changed = {**self._meta, **meta}
        self.client.indices.put_mapping(index=self.index, properties=properties, meta={"qlc_corpus": changed})
        self._meta = changed

    @contextmanager
    def _writing(self, **options: Any) -> Iterator[Adding]:
        """Enter a run over files that excludes other writers."""
        with nullcontext(None) if is_embedded(self.client) else turn(self.client, self.index) as check:
            if not self._has_context:  # made by an earlier version
                self._set_meta({}, index_definition(self.schema)["mappings"]["properties"])
                self._has_context = True
            yield Adding(self.client, self.index, self.schema, without=self._folder, check=check, **options)

    # --- vectors -----------------------------------------------------------------------------------------------------

    @property
    def vectors_by(self) -> str | None:
        """The name of the embedder that made the vectors of the passages; None if they have none."""
        name: str | None = self._meta.get("vectors_by")
        return name

    def embed(self, progress: EmbeddingProgress | None = None) -> int:
        """Make a vector for each passage that has none. Returns their number. Repeat an interrupted call to continue.

        Raises UsageError if there is no embedder, or if another embedder made the vectors of this corpus.
        """
        embedder = self._embedder_of_vectors()
        if embedder is None:
            need("semantic", "searching by meaning")
            raise AssertionError("an extra that is installed has an embedder")
        if self.vectors_by is None:
            self._set_meta({"vectors_by": embedder.name}, {VECTOR: vector_mapping(embedder.dimensions)})
        return embed_passages(self.client, self.index, embedder, progress)

    def _given(self, embedder: Embedder | str | None) -> Embedder | None:
        if isinstance(embedder, str):
            return InferenceEndpoint(self.client, embedder)
        return check_embedder(embedder) if embedder is not None else None

    def _embedder_of_vectors(self) -> Embedder | None:
        """Return the embedder (passed or installed) if it made the existing vectors."""
        if self._embedder is None and (self.vectors_by or "").startswith(PREFIX):
            self._embedder = self._given((self.vectors_by or "").removeprefix(PREFIX))
        embedder = self._embedder = self._embedder or default_embedder()  # one, since it loads its model once
        if embedder is not None and self.vectors_by not in (None, embedder.name):
            raise UsageError(f"the vectors of this corpus were made by {self.vectors_by}, and not by {embedder.name}")
        return embedder

    # --- asking ------------------------------------------------------------------------------------------------------

    def catalog(self) -> str:
        """Return the catalog of this corpus, as YAML. Without a `corpus.yaml` its buckets are the folders that were
        added."""
        return self._catalog_of(self.schema_with_buckets())

    def _catalog_of(self, schema: CorpusSchema) -> str:
        has_vectors = self.vectors_by is not None
        return catalog_text(schema, self.index, has_vectors=has_vectors, has_context=self._has_context)

    def schema_with_buckets(self) -> CorpusSchema:
        """Return the schema; if it declares no buckets, with the folders as buckets."""
        if self.schema.file.buckets:
            return self.schema
        return self.schema.with_buckets(bucket_names(self.client, self.index))

    @property
    def has_other_indices(self) -> bool:
        """Whether the given catalog has entities of other indices."""
        entities = self.given_catalog.file.entities if self.given_catalog is not None else {}
        return any(one.index not in (None, self.index) for one in entities.values())

    def compiler(self, **options: Any) -> Compiler:
        """A compiler over this corpus; `options` are those of qlc.Compiler."""
        return self._compiler_of(self.schema_with_buckets(), options)

    def reachable(self, options: Mapping[str, Any]) -> tuple[CorpusSchema, Compiler]:
        """Return the schema that a caller may know, and a compiler for it. Raises Stopped if the search for it fails.

        The schema has the fields and buckets of the given catalog. If that has access rules, and for folders without
        `corpus.yaml`, a bucket is included only if the caller may see a document in it. `options` are those of a run.
        """
        schema, given = self.schema_with_buckets(), self.given_catalog
        compiler = self._compiler_of(schema, {})
        if given is not None:
            schema = as_catalog_has_it(schema, given)
        are_open = not has_rules(given) if given is not None else bool(self.schema.file.buckets)
        if are_open or not schema.file.buckets:
            return schema, compiler
        options = {name: one for name, one in options.items() if name not in ("choices", "cursor", "params", "size")}
        counted = compiler.run("count documents by bucket", **options)
        if not isinstance(counted, AggregateOut):
            raise Stopped(counted)
        names = {str(row.key) for row in counted.rows}
        seen = schema.limited({name: one for name, one in schema.file.buckets.items() if name in names})
        return seen, compiler if given is not None else self._compiler_of(seen, {})

    def _compiler_of(self, schema: CorpusSchema, options: dict[str, Any]) -> Compiler:
        return Compiler(self.client, self._read_catalog(schema), **self._with_embedder(options))

    def _read_catalog(self, schema: CorpusSchema) -> Catalog:
        """Return the given catalog; else that of the corpus, built again after changes of schema, buckets or
        vectors."""
        if self.given_catalog is not None:
            return self.given_catalog
        made_of = (schema.text, *schema.file.buckets, self.vectors_by)
        if (kept := self._catalogs.get(made_of)) is None:
            kept = read_catalog(self._catalog_of(schema), "the catalog of the corpus")
            self._catalogs = dict([*self._catalogs.items(), (made_of, kept)][-_MOST_CATALOGS:])
        return kept

    def _with_embedder(self, options: dict[str, Any]) -> dict[str, Any]:
        """Add the embedder and the ranker to options of a compiler."""
        embedder = self._embedder_of_vectors() if "embedder" not in options else None
        vectors = None
        if embedder is not None and not self._all_have_vectors():
            vectors = self._vectors = self._vectors or Vectors(embedder)
        ranker = PassageRanker(vectors, self._reranker, EMBED if embedder else INSTALL)
        options = {"ranker": ranker, "clock": self._clock, **options}
        return {"embedder": lambda text: _vector(embedder, text), **options} if embedder else options

    def vectors_of(self) -> Callable[[Sequence[str]], Sequence[Sequence[float]]] | None:
        """Return a function that makes vectors of texts with a cache, empty if time runs out. None without an
        embedder."""
        embedder = self._embedder_of_vectors()
        if embedder is None:
            return None
        kept = self._texts = self._texts or Vectors(embedder)

        def made(texts: Sequence[str]) -> Sequence[Sequence[float]]:
            found = kept.of(texts)
            return [found[one] for one in texts] if found.keys() >= {*texts} else []

        return made

    def _all_have_vectors(self) -> bool:
        without = {"bool": {"filter": [{"term": {"kind": PASSAGE}}], "must_not": [{"exists": {"field": VECTOR}}]}}
        if self.vectors_by is None:
            return False
        return bool(searched(self.client, index=self.index, query=without, size=0)["hits"]["total"]["value"] == 0)

    def search(
        self,
        text: str,
        *,
        by: Ranking | None = None,
        where: str = "",
        limit: int = 10,
        per_document: int = PER_DOCUMENT,
        **options: Unpack[RunOptions],
    ) -> Outcome:
        """Search the passages about a text: an outcome of the kind `hits`, best first.

        `by` is "words" (full text), "meaning" (vectors) or "both"; by default "both" if the corpus has vectors. `where`
        is a condition of the query language, such as 'bucket = "manuals"'. At most `per_document` of the `limit`
        passages are from one document, unless only one document matches; `total` counts all matches. `options` are
        those of a run.
        """
        compiler = self.compiler()
        with telemetry.retrieval(self.index):
            return drive(
                passages_about(text, by, where, limit, per_document, options, unread_program(self.schema)),
                lambda asked: in_place(lambda: compiler.run(asked[0], **asked[1])),
            )

    def status(self) -> Status:
        """The number of documents in each bucket and with each field, and the files that cannot be read."""
        return read_status(self.client, self.index, self.schema)

    def label_proposals(self) -> list[Proposal]:
        """Return labels that may be fields which their files lack, for a person to accept."""
        return proposals(self.client, self.index, self.schema)

    def document(self, file: str) -> Document | None:
        """The document of a file, with its values and their places; None if the corpus has no such file."""
        return read_document(self.client, self.index, self.schema, file)

    def close(self) -> None:
        if not self._is_lent:
            self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


def _vector(embedder: Embedder, text: str) -> Sequence[float]:
    """Return the vector of a text in a program. Raises CannotAnswer if an endpoint of a server gives none."""
    try:
        return embedder.embed([text])[0]
    except RequestFailed as failed:
        message = f"the embedder '{embedder.name}' returned no vector for the text: {failed.detail}"
        raise CannotAnswer("no-vector", message, "write 'by words', or try again when the endpoint answers") from None


def _mapping_of(client: Elasticsearch, index: str) -> dict[str, Any]:
    (mapping,) = mapping_answer(client.indices.get_mapping, index).values()
    found: dict[str, Any] = mapping["mappings"]
    return found


def _not_there(target: str | Path) -> UsageError:
    return UsageError(f"there is no corpus '{target}'; create it first: qlc corpus add {target} FOLDER")


def _folder_of(target: str | Path, url: str | None, client: Elasticsearch | None) -> Path | None:
    return None if url is not None or client is not None or target == ":memory:" else Path(target)


@contextmanager
def _opened(
    target: str | Path, url: str | None, client: Elasticsearch | None, options: dict[str, Any]
) -> Iterator[tuple[Elasticsearch, str]]:
    """Enter the client and the name of the index. A client created here is closed if opening the corpus fails."""
    index = INDEX if client is None and url is None else str(target)
    if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]*", index):
        raise UsageError(f"'{index}' cannot be a name on a server: use a-z, 0-9, '-', '_' and '.'")
    made = None if client is not None else connect(target if url is None else url, **options)
    try:
        yield client or made, index  # type: ignore[misc]
    except BaseException:
        if made is not None:
            made.close()
        raise
