# The sink. Build it from the repository: docker build -f docker/sink.Dockerfile -t ossian-sink .
FROM node:20-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY sink/package.json sink/
COPY server/package.json server/
COPY e2e/package.json e2e/

FROM manifests AS build
RUN npm ci --ignore-scripts --include-workspace-root --workspace @ossian/shared --workspace @ossian/sink
COPY tsconfig.base.json ./
COPY scripts scripts
COPY shared shared
COPY sink sink
RUN npm run build --workspace @ossian/sink

FROM manifests AS production
RUN npm ci --ignore-scripts --omit=dev --workspace @ossian/shared --workspace @ossian/sink

FROM node:20-bookworm-slim
WORKDIR /app
COPY --from=production /app ./
COPY --from=build /app/shared/dist shared/dist
COPY --from=build /app/sink/dist sink/dist
COPY sink/bin sink/bin
ENV NODE_ENV=production
USER node
# Its status is served on 127.0.0.1:8083 unless a worker file says otherwise. A sink whose tasks have all failed ends with
# code 1, and the restart policy decides.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8083/connectors').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "sink/bin/ossian-sink.js"]
CMD ["run", "--config", "/etc/ossian/connector.properties"]
