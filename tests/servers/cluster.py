"""Several Elasticsearch nodes on loopback that form one cluster."""

from types import TracebackType
from typing import Self

from tests.servers.build import Kind
from tests.servers.server import ElasticsearchServer


class ElasticsearchCluster:
    """A context manager around a cluster of nodes of one version; `servers` are its nodes."""

    def __init__(
        self, nodes: int = 3, kind: Kind = 8, *, heap_mb: int = 512, start_timeout: float = 180.0
    ) -> None:
        """The heap is that of each node."""
        names = [f"node-{number}" for number in range(1, nodes + 1)]
        self.servers = [
            ElasticsearchServer(
                kind,
                heap_mb=heap_mb,
                start_timeout=start_timeout,
                short_lived=True,
                settings={
                    "node.name": name,
                    "cluster.initial_master_nodes": ",".join(names),
                    "discovery.seed_providers": "file",
                    "discovery.initial_state_timeout": "0s",
                },
            )
            for name in names
        ]

    @property
    def urls(self) -> list[str]:
        """The addresses of all nodes that run."""
        return [server.url for server in self.servers if server.is_alive()]

    def __enter__(self) -> Self:
        """Start all nodes and wait until each sees all."""
        try:
            for server in self.servers:
                server.launch()
            seeds = "\n".join(server.wait_for_transport() for server in self.servers)
            for server in self.servers:
                (server.folder / "config" / "unicast_hosts.txt").write_text(seeds)
            for server in self.servers:
                server.wait_until_ready(nodes=len(self.servers))
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop all nodes."""
        self.stop()

    def stop(self) -> None:
        """Stop all nodes and remove their folders."""
        for server in self.servers:
            server.stop()
