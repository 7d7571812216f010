import { LogLevel, WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { createSlackDouble, type SlackDouble, type SlackDoubleOptions } from '../../sandbox/slack/index.ts';

/** A Slack that is stopped when the test ends, and a client with the bot's token that asks once and no more. */
export async function openSlack(
  options: SlackDoubleOptions = {},
): Promise<{ slack: SlackDouble; client: WebClient; apiUrl: string }> {
  const slack = createSlackDouble(options);
  const { apiUrl } = await slack.start();
  onTestFinished(() => slack.stop());
  const client = new WebClient(slack.botToken, {
    slackApiUrl: apiUrl,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  return { slack, client, apiUrl };
}
