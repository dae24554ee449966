# The HTTP service of qlc: docs/deploy.md.  docker build -t qlc .
FROM python:3.13-slim AS build
ARG EXTRAS=anthropic,serve,postgres,redis
# The client of version 8 speaks to servers 8 and 9, that of version 9 to servers 9 only.
ARG CLIENT="elasticsearch>=8.19,<9"
WORKDIR /src
COPY pyproject.toml README.md LICENSE qlc_search.py ./
COPY qlc qlc
COPY qlc_engine qlc_engine
RUN python -m venv /opt/qlc \
    && /opt/qlc/bin/pip install --no-cache-dir --disable-pip-version-check ".[$EXTRAS]" "$CLIENT"

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/qlc --create-home qlc
COPY --from=build /opt/qlc /opt/qlc
# What the service keeps is in one folder; everything else may be read-only.
ENV PATH=/opt/qlc/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_STATE_HOME=/var/lib \
    XDG_CACHE_HOME=/var/lib/qlc/cache \
    QLC_HOST=0.0.0.0 \
    QLC_PORT=8765 \
    QLC_STORE=/var/lib/qlc/conversations.db
USER 10001
WORKDIR /var/lib/qlc
VOLUME /var/lib/qlc
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", "import os, urllib.request as http; http.urlopen(f'http://127.0.0.1:{os.environ[\"QLC_PORT\"]}/healthz', timeout=4)"]
ENTRYPOINT ["qlc"]
CMD ["serve"]
