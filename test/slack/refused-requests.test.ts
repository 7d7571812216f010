import { describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createRefusedRequests } from '../../src/platform/slack/refused-requests.ts';
import { answerTo, play, urlOf } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const SKEW_S = 303;
const FORM = 'command=%2Finstances&user_id=U0ANA000001&channel_id=C0OPS000001&team_id=T1&text=';

const isReady = async (sandbox: Sandbox): Promise<boolean> =>
  (await fetch(urlOf(sandbox, '/readyz'))).status === 200;

const told = (sandbox: Sandbox, words: string): string[] =>
  sandbox.logs.filter((line) => line.includes(words));

describe('what anybody could have sent', () => {
  it('leaves a bot ready that no request of Slack has reached yet, and is told once for many', async () => {
    const sandbox = await play();
    const old = Math.floor(Date.now() / 1_000) - SKEW_S;
    for (let times = 0; times < 5; times++)
      expect((await sandbox.slack.send({ body: FORM, sign: 'wrong' })).status).toBe(401);
    for (const raw of [{ sign: false as const }, { at: old }, { at: old + 2 * SKEW_S }])
      expect((await sandbox.slack.send({ body: FORM, ...raw })).status).toBe(401);
    expect(await isReady(sandbox)).toBe(true);
    expect(
      told(sandbox, "1 request failed its signature: it is not Slack's, or SLACK_SIGNING_SECRET is wrong"),
    ).toHaveLength(1);
    expect(told(sandbox, "1 request had no signature: it is not Slack's")).toHaveLength(1);
    expect(told(sandbox, "differs from this machine's by 5 min")).toHaveLength(1);
  });

  it('is shown by the doctor, with what to look at', async () => {
    const sandbox = await play();
    expect((await sandbox.slack.send({ body: FORM, sign: 'wrong' })).status).toBe(401);
    expect((await sandbox.slack.send({ body: FORM, sign: false })).status).toBe(401);
    const answer = await answerTo(sandbox, 'admin', '/lamplighter doctor');
    expect(answer.split('\n').filter((line) => line.includes('In the last hour'))).toEqual([
      expect.stringMatching(
        /⚠️ In the last hour, this process refused requests that failed their signature: they are not Slack's, or the signing secret was changed there\. If people's commands fail, mend that; else let only Slack reach \/slack\/\.$/,
      ),
    ]);
  });
});

describe('a bot whose clock is off', () => {
  it.each([
    ['behind', SKEW_S],
    ['ahead', -SKEW_S],
  ])('%s Slack says by how much', async (_name, by) => {
    const sandbox = await play();
    const at = Math.floor(Date.now() / 1_000) + by;
    expect((await sandbox.slack.send({ body: FORM, at })).status).toBe(401);
    const [line] = told(sandbox, 'came signed by Slack');
    expect(line).toMatch(/with a time that differs from this machine's by 5 min [2-4] s: check the clock"/);
    expect(await isReady(sandbox)).toBe(true);
  });
});

it('that Slack holds events back is taken from Slack alone, logged and counted', async () => {
  const sandbox = await play();
  const body = JSON.stringify({
    type: 'app_rate_limited',
    team_id: 'T1',
    minute_rate_limited: 1_518_467_820,
  });
  const headers = { 'content-type': 'application/json' };
  expect((await sandbox.slack.send({ body, headers, sign: 'wrong' })).status).toBe(401);
  expect(told(sandbox, 'events')).toEqual([]);
  expect((await sandbox.slack.send({ body, headers })).status).toBe(200);
  expect(
    told(
      sandbox,
      '1 request told that Slack holds events back: what people wrote to the bot meanwhile is lost',
    ),
  ).toHaveLength(1);
  expect(await (await fetch(urlOf(sandbox, '/metrics'))).text()).toContain(
    'lamplighter_slack_requests_total{kind="events",result="rate-limited"} 1',
  );
});

it.each([
  ['cannot be read', { body: 'payload=%7B' }, 400, 'could not be read'],
  ['is no form that Slack sends', { body: 'hello' }, 400, '1 request could not be read'],
  ['has a command and no person', { body: 'command=%2Finstances' }, 400, '1 request could not be read'],
  [
    'is compressed',
    { body: FORM, headers: { 'content-encoding': 'gzip' } },
    415,
    "came compressed: it is not Slack's, or",
  ],
])('a request that %s is told', async (_name, raw, status, words) => {
  const sandbox = await play();
  expect((await sandbox.slack.send(raw)).status).toBe(status);
  expect(told(sandbox, words)).toHaveLength(1);
});

it('a request that comes while the bot is not yet open, or no longer, is refused, so that Slack sends it again', async () => {
  const sandbox = await play({ ownRedis: true, bot: false });
  await sandbox.redis!.kill();
  const started = sandbox.startBot();
  await until(() => sandbox.logs.some((line) => line.includes('waiting for Redis')));
  const url = urlOf(sandbox, '/slack/events');
  expect((await fetch(url, { method: 'POST', body: FORM })).status).toBe(503);
  await sandbox.redis!.restart();
  await started;
});

it('each family is told at once, and then once a minute with how many have come since', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const refused = createRefusedRequests(createLog('info', [], { write: (line) => lines.push(line) }));
  for (let times = 0; times < 43; times++) refused.refused('signature');
  refused.refused('malformed');
  vi.advanceTimersByTime(180_000);
  refused.refused('signature');
  vi.useRealTimers();
  const texts = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(texts).toEqual([
    "1 request failed its signature: it is not Slack's, or SLACK_SIGNING_SECRET is wrong",
    expect.stringContaining('1 request could not be read'),
    "42 requests failed their signature: they are not Slack's, or SLACK_SIGNING_SECRET is wrong",
    "1 request failed its signature: it is not Slack's, or SLACK_SIGNING_SECRET is wrong",
  ]);
});
