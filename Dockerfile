# The server in an image: non-root, no compiler, no sandbox. Build: docker build -t dbplanet-mcp .
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml setup.cfg README.md ./
COPY dbplanet dbplanet
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[redis,metrics]"

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index /wheels/*.whl \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin dbplanet
# Inside a container loopback reaches nobody; what is open to whom is the business of the network around it.
ENV DBPLANET_HOST=0.0.0.0 \
    PORT=3000 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
WORKDIR /tmp
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import http.client, os; c = http.client.HTTPConnection('127.0.0.1', int(os.environ['PORT']), timeout=4); c.request('GET', '/health'); raise SystemExit(c.getresponse().status != 200)"]
CMD ["dbplanet", "serve"]
