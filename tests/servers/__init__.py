"""Real servers of Elasticsearch and OpenSearch for the tests, built from the jars on Maven Central.

From Python::

    from tests.servers import ElasticsearchCluster, ElasticsearchServer

    with ElasticsearchServer(8) as server:      # 9, "opensearch2", "opensearch3"; heap_mb=1024
        client = elasticsearch.Elasticsearch(server.url)
    with ElasticsearchCluster(nodes=3) as cluster:            # three nodes on loopback
        client = elasticsearch.Elasticsearch(cluster.urls)

From the shell (runs until it is interrupted or killed, and leaves nothing behind)::

    make elasticsearch                                        # ES=9, ES=opensearch2; PORT=9208 for a fixed port
    .venv/bin/python -m tests.servers start 8 --port 9208 --heap-mb 1536

In tests: the fixtures `real_elasticsearch_8`, `real_elasticsearch_9`, `real_opensearch` (`tests/servers/fixtures.py`).
`make elasticsearch-setup`, or the first start of each kind, downloads about 40 MB with Maven and compiles them; both
are kept in `.cache/`. Tests themselves download nothing: without a build they are left out, in CI they fail.
8.x and OpenSearch 2.x need a JDK of 17 or newer, the others one of 21, and `mvn`. OpenSearch has its scripts
(Painless), analysers and vectors (k-NN); of Elasticsearch these modules are not published.
"""

from tests.servers.build import BuildError
from tests.servers.cluster import ElasticsearchCluster
from tests.servers.server import ElasticsearchServer, StartError

__all__ = ["BuildError", "ElasticsearchCluster", "ElasticsearchServer", "StartError"]
