/** The least that a configuration says. */
export const ENOUGH_CONFIG = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
};
