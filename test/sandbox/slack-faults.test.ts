import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRequestError, type WebClient } from '@slack/web-api';
import { beforeEach, expect, test } from 'vitest';
import type { SlackDouble } from '../../sandbox/slack/index.ts';
import { openSlack } from './slack-caller.ts';

let slack: SlackDouble;
let client: WebClient;
beforeEach(async () => {
  ({ slack, client } = await openSlack());
});

const post = (text: string, channel = '#ops') =>
  client.chat.postMessage({ channel: slack.channel(channel).id, text });
const texts = () => slack.channel('#ops').messages.map((message) => message.text);

test('a rate limit names the seconds to wait, and strikes once', async () => {
  slack.rateLimitNext('chat.postMessage', { retryAfter: 7 });
  await expect(post('one')).rejects.toMatchObject({ retryAfter: 7 });
  await post('two');
  expect(texts()).toEqual(['two']);
  expect(slack.refusals).toEqual([]);
});

test('a rate limit for one channel leaves the others alone', async () => {
  slack.rateLimitNext('chat.postMessage', { retryAfter: 1, channel: '#billing' });
  await post('one');
  await expect(post('two', '#billing')).rejects.toMatchObject({ retryAfter: 1 });
});

test('a failure is a status or a platform error', async () => {
  slack.failNext('chat.postMessage', { status: 503 });
  slack.failNext('chat.postMessage', { error: 'internal_error' });
  await expect(post('one')).rejects.toBeInstanceOf(WebAPIHTTPError);
  await expect(post('two')).rejects.toBeInstanceOf(WebAPIPlatformError);
  expect(texts()).toEqual([]);
  expect(slack.refusals).toEqual([]);
});

test('a lost answer was done, a dropped call was not', async () => {
  slack.loseAnswerOfNext('chat.postMessage');
  await expect(post('lost')).rejects.toBeInstanceOf(WebAPIRequestError);
  slack.dropNext('chat.postMessage');
  await expect(post('dropped')).rejects.toBeInstanceOf(WebAPIRequestError);
  expect(texts()).toEqual(['lost']);
  expect(slack.calls.map((call) => call.ok)).toEqual([true, false]);
});

test('a held call waits at the door, or with its answer', async () => {
  const before = slack.hold('chat.postMessage');
  const first = post('first');
  await before.arrived;
  expect(texts()).toEqual([]);
  before.release();
  await first;

  const after = slack.hold((call) => call.args['text'] === 'second', { when: 'after' });
  const second = post('second');
  await after.arrived;
  expect(texts()).toEqual(['first', 'second']);
  after.drop();
  await expect(second).rejects.toBeInstanceOf(WebAPIRequestError);
});

test('stop() lets go of what is held', async () => {
  const held = slack.hold('chat.postMessage');
  const lost = post('held').catch((error: unknown) => error);
  await held.arrived;
  await slack.stop();
  expect(await lost).toBeInstanceOf(WebAPIRequestError);
  await slack.start();
});
