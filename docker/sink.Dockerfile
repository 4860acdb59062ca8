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
# It has no port of its own: a sink whose tasks have all failed ends with code 1, and the restart policy decides.
ENTRYPOINT ["node", "sink/bin/ossian-sink.js"]
CMD ["run", "--config", "/etc/ossian/connector.properties"]
