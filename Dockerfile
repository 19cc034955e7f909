# The server in a container: docker build -t elcapitan .
# Everything comes from requirements-server.lock, by its hash: the program's packages and those of its extras server and
# postgres. The build asks a registry for nothing else.

FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /app
COPY requirements-server.lock ./
RUN /app/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements-server.lock
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN /app/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /app/bin/pip check

FROM python:3.13-slim
RUN groupadd --system --gid 10001 elcapitan \
    && useradd --system --uid 10001 --gid elcapitan --no-create-home --shell /usr/sbin/nologin elcapitan \
    && install --directory --owner elcapitan --group elcapitan --mode 0700 /data
COPY --from=build /app /app
# Games and the compiled rules: the rules are compiled for the processor at hand when they are needed first.
ENV PATH=/app/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ELCAPITAN_DATA=/data \
    ELCAPITAN_CACHE=/data/cache
USER elcapitan
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=180s --retries=4 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=8)"]
ENTRYPOINT ["elcapitan"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--no-open", "--log", "json"]
