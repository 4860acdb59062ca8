# The server. Build it from the repository: docker build -f docker/server.Dockerfile -t ossian-server .
FROM node:20-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY sink/package.json sink/
COPY server/package.json server/
COPY e2e/package.json e2e/

FROM manifests AS build
RUN npm ci --ignore-scripts --include-workspace-root --workspace @ossian/shared --workspace @ossian/server
COPY tsconfig.base.json ./
COPY scripts scripts
COPY shared shared
COPY server server
RUN npm run build --workspace @ossian/server

FROM manifests AS production
RUN npm ci --ignore-scripts --omit=dev --workspace @ossian/shared --workspace @ossian/server

FROM node:20-bookworm-slim
WORKDIR /app
COPY --from=production /app ./
COPY --from=build /app/shared/dist shared/dist
COPY --from=build /app/server/dist server/dist
COPY server/bin server/bin
COPY server/weights server/weights
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 OSSIAN_DATA_DIR=/data
RUN install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/bin/ossian-server.js"]
