# A server for Bullpen's tables.  Not tried yet with a container engine: see docs/server.md.
#
#   docker build --tag bullpen .
#   docker run --publish 8000:8000 --volume bullpen:/data bullpen

FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE hatch_build.py ./
COPY scripts scripts
COPY web web
COPY src src
RUN python -m venv /opt/bullpen && /opt/bullpen/bin/pip install --no-cache-dir ".[server,fast]"

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home bullpen && install -d -o bullpen -g bullpen /data /cache
COPY --from=build /opt/bullpen /opt/bullpen
USER bullpen
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
