import { describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createRefusedRequests } from '../../src/platform/slack/refused-requests.ts';
import { play, urlOf } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const SKEW_S = 303;
const FORM = 'command=%2Finstances&user_id=U0ANA000001&channel_id=C0OPS000001&team_id=T1&text=';

async function readyz(sandbox: Sandbox): Promise<{ status: number; slack: string }> {
  const answer = await fetch(urlOf(sandbox, '/readyz'));
  const { checks } = (await answer.json()) as { checks: { slack: string } };
  return { status: answer.status, slack: checks.slack };
}

const told = (sandbox: Sandbox, words: string): string[] =>
  sandbox.logs.filter((line) => line.includes(words));

describe('a bot whose signing secret is wrong', () => {
  it('is not ready and says so in its log, once for many', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({ SLACK_SIGNING_SECRET: 'not-the-one-of-this-app' });
    for (let times = 0; times < 5; times++)
      expect((await sandbox.slack.send({ body: FORM })).status).toBe(401);
    expect(await readyz(sandbox)).toEqual({
      status: 503,
      slack: 'all requests fail their signature: SLACK_SIGNING_SECRET is likely wrong',
    });
    expect(told(sandbox, 'failed its signature: SLACK_SIGNING_SECRET is likely wrong')).toHaveLength(1);
  });
});

describe('a bot whose clock is off', () => {
  it.each([
    ['behind', SKEW_S],
    ['ahead', -SKEW_S],
  ])(
    '%s Slack is not ready, says by how much, and is ready again when a request comes in time',
    async (_name, by) => {
      const sandbox = await play();
      const at = Math.floor(Date.now() / 1_000) + by;
      expect((await sandbox.slack.send({ body: FORM, at })).status).toBe(401);
      const { status, slack } = await readyz(sandbox);
      expect(status).toBe(503);
      expect(slack).toMatch(
        /^the time of Slack's requests differs from this machine's by 5 min [2-4] s: check the clock$/,
      );
      expect(told(sandbox, "differs from this machine's by 5 min")).toHaveLength(1);
      expect((await sandbox.slack.send({ body: FORM })).status).toBe(200);
      expect((await readyz(sandbox)).status).toBe(200);
    },
  );
});

describe('what strangers send', () => {
  it('does not make a bot unready whose secret has proved right, and is told', async () => {
    const sandbox = await play();
    expect((await sandbox.slack.send({ body: FORM })).status).toBe(200);
    for (const sign of ['wrong', false] as const)
      expect((await sandbox.slack.send({ body: FORM, sign })).status).toBe(401);
    expect((await readyz(sandbox)).status).toBe(200);
    expect(told(sandbox, "1 request failed its signature: it is not Slack's")).toHaveLength(1);
    expect(told(sandbox, "1 request had no signature: it is not Slack's")).toHaveLength(1);
  });

  it('without a signature says nothing of the secret', async () => {
    const sandbox = await play();
    expect((await sandbox.slack.send({ body: FORM, sign: false })).status).toBe(401);
    expect((await readyz(sandbox)).status).toBe(200);
  });
});

it.each([
  ['cannot be read', { body: 'payload=%7B' }, 400, 'could not be read'],
  ['is no form that Slack sends', { body: 'hello' }, 400, '1 request could not be read'],
  ['has a command and no person', { body: 'command=%2Finstances' }, 400, '1 request could not be read'],
  ['is compressed', { body: FORM, headers: { 'content-encoding': 'gzip' } }, 415, 'came compressed'],
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
    '1 request failed its signature: SLACK_SIGNING_SECRET is likely wrong',
    expect.stringContaining('1 request could not be read'),
    '42 requests failed their signature: SLACK_SIGNING_SECRET is likely wrong',
    '1 request failed its signature: SLACK_SIGNING_SECRET is likely wrong',
  ]);
});
