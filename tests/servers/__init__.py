"""Real Elasticsearch servers for the tests, built from the jars on Maven Central.

From Python::

    from tests.servers import ElasticsearchCluster, ElasticsearchServer

    with ElasticsearchServer(version_major=8) as server:      # or 9; heap_mb=1024 and a free port by default
        client = elasticsearch.Elasticsearch(server.url)
    with ElasticsearchCluster(nodes=3) as cluster:            # three nodes on loopback
        client = elasticsearch.Elasticsearch(cluster.urls)

From the shell (runs until it is interrupted or killed, and leaves nothing behind)::

    make elasticsearch                                        # 8.x; ES=9 for 9.x; PORT=9208 for a fixed port
    .venv/bin/python -m tests.servers start 8 --port 9208 --heap-mb 1536

In tests: the fixtures `real_elasticsearch_8` and `real_elasticsearch_9` (`tests/servers/fixtures.py`).
`make elasticsearch-setup`, or the first start of each major, downloads about 40 MB with Maven and compiles them; both
are kept in `.cache/`. Tests themselves download nothing: without a build they are left out, in CI they fail.
8.x needs a JDK of 17 or newer, 9.x one of 21 or newer, and `mvn`.
"""

from tests.servers.build import BuildError
from tests.servers.cluster import ElasticsearchCluster
from tests.servers.server import ElasticsearchServer, StartError

__all__ = ["BuildError", "ElasticsearchCluster", "ElasticsearchServer", "StartError"]
