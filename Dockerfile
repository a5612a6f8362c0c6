FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/switchboard
COPY constraints.txt pyproject.toml README.md ./
COPY bot bot
COPY adapters adapters
COPY agents agents
COPY storage storage
RUN awk '/^[a-z]/{p=/^uv==/} p' constraints.txt > /tmp/uv.txt \
    && pip install --no-cache-dir --require-hashes -r /tmp/uv.txt \
    && VIRTUAL_ENV=/opt/switchboard uv pip install --no-cache --compile-bytecode -c constraints.txt '.[charts,local,telegram,feishu,mongo,llm,mcp,web]'

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 switchboard && install -d -o switchboard /data
COPY --from=build /opt/switchboard /opt/switchboard
ENV PATH=/opt/switchboard/bin:$PATH DATA_DIR=/data HTTP_HOST=0.0.0.0 HTTP_PORT=8080
USER switchboard
WORKDIR /home/switchboard
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
CMD ["switchboard", "run"]
