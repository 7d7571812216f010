# What is built is JavaScript, the same for each platform.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No dependency needs its install script: those that have one ship prebuilt.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.bot.config.ts ./
COPY src ./src
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
# By its number: of a name Kubernetes can't see that it isn't root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm in between, so that SIGTERM reaches the bot and it can finish what it does.
CMD ["node", "--min-semi-space-size=4", "--max-semi-space-size=4", "--gc-memory-reducer-start-delay-ms=60000", "dist/main.js"]
