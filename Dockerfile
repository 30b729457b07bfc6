# One image, every role: `masis serve` by default, `serve --role ingress`, `worker` or `migrate` behind
# it. Needs /data writable, and /tmp as a tmpfs where the root is read-only. The base is named by its
# version; pin its digest where you build, and rebuild for its security fixes.
FROM python:3.11-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/masis
WORKDIR /src
# Dependencies first: they change less often than the code.
COPY requirements.lock ./
RUN /opt/masis/bin/python -m pip install --require-hashes --no-deps -r requirements.lock
COPY pyproject.toml README.md LICENSE NOTICE manifest.yml ./
COPY masis/ masis/
COPY storage/ storage/
COPY bot/ bot/
RUN /opt/masis/bin/python -m pip install --no-deps --no-build-isolation . \
    && /opt/masis/bin/python -m pip uninstall --yes hatchling editables


FROM python:3.11-slim-bookworm

# The model service's client trusts the system's certificates.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 masis \
    && useradd --uid 10001 --gid masis --no-create-home --home-dir /data --shell /usr/sbin/nologin masis \
    && install --directory --owner masis --group masis --mode 700 /data
COPY --from=build /opt/masis /opt/masis

ENV PATH=/opt/masis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1 \
    MASIS_DATA_DIR=/data \
    MASIS_HTTP_HOST=0.0.0.0 \
    MASIS_HTTP_PORT=3000 \
    MASIS_LOG_FORMAT=json \
    MASIS_LOG_LEVEL=WARNING
USER 10001:10001
WORKDIR /
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Not over a proxy, should the environment name one.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import http.client, os, sys; c = http.client.HTTPConnection('127.0.0.1', int(os.environ['MASIS_HTTP_PORT']), timeout=4); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]

ENTRYPOINT ["masis"]
CMD ["serve"]
