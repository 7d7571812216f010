// What every peer is given: the same environment as the bot.
export const env = {
  secret: process.env.SLACK_SIGNING_SECRET ?? '',
  botToken: process.env.SLACK_BOT_TOKEN ?? '',
  apiUrl: process.env.SLACK_API_URL ?? '',
  hostingUrl: process.env.HOSTING_API_URL ?? '',
  hostingToken: process.env.HOSTING_API_TOKEN ?? '',
};

/** Says where a peer listens, as the bot's log does. `server`: a node:http server that listens. */
export function sayReady(server) {
  process.stdout.write(`${JSON.stringify({ port: server.address().port, msg: 'ready' })}\n`);
}
