import { WebClient } from '@slack/web-api';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { dmWith } from '../support/asking.ts';
import { answeredWith, answerTo, botMessages, play, powerCalls, privateMessage } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const TELL = 'Tell me when it answers';
const ADMINS = { env: { LAMPLIGHTER_EVERYONE: 'admin' } };
const PROMISE =
  "I'll send you a direct message when the hosting service answers. I'll keep checking for a day.";
const LIST = '/api/v1/instances';

/** Somebody asks something while the API is down, and wants to be told when it answers. */
async function waits(sandbox: Sandbox, who: string, line: string): Promise<void> {
  const answer = await answeredWith(sandbox, who, line);
  await sandbox.slack.person(who).presses(answer, TELL);
  // It stands in place of the answer.
  await sandbox.slack.until(() => sandbox.slack.read(answer).includes(PROMISE));
}

function told(sandbox: Sandbox, who: string): string[] {
  return sandbox.slack
    .person(who)
    .dms.map((one) => sandbox.slack.read(one))
    .filter((text) => text.includes('answers again'));
}

test('who wants to be told when the service answers is told once, with what they asked for as a button', async () => {
  const sandbox = await play(ADMINS);
  const { slack, hosting } = sandbox;
  await hosting.stop();
  await waits(sandbox, 'ana', '/billing usage');
  await hosting.start();
  const message = await dmWith(sandbox, 'ana', 'answers again');
  expect(slack.read(message)).toBe(
    '✅ The hosting service answers again. Do you still want this?\n[ Billing usage ]',
  );
  await slack.person('ana').presses(message, 'Billing usage');
  expect(slack.read(await dmWith(sandbox, 'ana', 'a day, most expensive first'))).toContain('web-1');
  await sandbox.settled();
  expect(told(sandbox, 'ana')).toHaveLength(1);
});

test('a change is asked for anew, by the button, with its rights', async () => {
  const sandbox = await play(ADMINS);
  const { slack, hosting } = sandbox;
  await hosting.stop();
  await waits(sandbox, 'ana', '/instances restart web-1');
  await hosting.start();
  const message = await dmWith(sandbox, 'ana', 'answers again');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  await slack.person('ana').presses(message, 'Restart web-1');
  await slack.until(() => powerCalls(sandbox, 'restart') === 1);
  await sandbox.settled();
});

test('the last list and a sentence have the button, too; a key that is refused and a limit have none', async () => {
  const sandbox = await play(ADMINS);
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.hosting.stop();
  for (const line of [
    '/instances',
    '/instances show web-1',
    '/instances history web-9',
    "@lamplighter what's down?",
  ])
    expect(await answerTo(sandbox, 'ana', line), line).toContain(`[ ${TELL} ]`);
  await sandbox.hosting.start();
  for (const status of [401, 403, 404, 429]) {
    sandbox.hosting.failNext({ method: 'GET' }, status, 10);
    expect(await answerTo(sandbox, 'ana', '/billing usage'), String(status)).not.toContain(TELL);
    sandbox.hosting.failNext({ method: 'GET' }, status, 0);
  }
});

test('where the key is refused, who may look into it is led there, and nobody else', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  for (const [who, line] of [
    ['admin', '/billing usage'],
    ['ana', '/billing usage'],
    ['admin', '@lamplighter is web-1 ok'],
  ] as const) {
    const end = sandbox.hosting.failNext({ method: 'GET' }, 401, 10);
    const answer = await answerTo(sandbox, who, line);
    end();
    expect(answer, `${who} ${line}`).toContain("refused the bot's API key");
    expect(answer.includes('[ Check the setup ]'), `${who} ${line}`).toBe(who === 'admin');
  }
});

test('ten who wait cost the service one look at a time, and each is told', async () => {
  const sandbox = await play({ ...ADMINS, timings: { askIfBackEveryMs: 1_500 } });
  const { hosting } = sandbox;
  const end = hosting.failNext({ method: 'GET' }, 503, 100_000);
  const people = ['ana', 'bob', 'admin'];
  for (const who of people) await waits(sandbox, who, '/billing usage');
  const before = hosting.countCalls('GET', LIST);
  const from = Date.now();
  await until(() => Promise.resolve(hosting.countCalls('GET', LIST) >= before + 6));
  // Each look is tried three times.
  expect(hosting.countCalls('GET', LIST) - before).toBeLessThanOrEqual(3 * (2 + (Date.now() - from) / 1_500));
  end();
  for (const who of people) await dmWith(sandbox, who, 'answers again');
});

test('it survives a restart of the bot', async () => {
  const sandbox = await play(ADMINS);
  await sandbox.hosting.stop();
  await waits(sandbox, 'ana', '/billing usage');
  await sandbox.stopBots();
  await sandbox.startBot();
  await sandbox.hosting.start();
  await dmWith(sandbox, 'ana', 'answers again');
});

test('nobody is told what somebody else asked for', async () => {
  const sandbox = await play(ADMINS);
  const { slack, hosting } = sandbox;
  await hosting.stop();
  const answer = await answeredWith(sandbox, 'ana', '/instances restart web-1');
  const [, value = ''] = /"value":"([\w-]{22})"/.exec(JSON.stringify(answer.blocks)) ?? [];
  const asBot = new WebClient(slack.botToken, { slackApiUrl: sandbox.env['SLACK_API_URL'] ?? '' });
  const button = {
    type: 'button' as const,
    action_id: 'lamplighter.tell-when-back',
    text: { type: 'plain_text' as const, text: TELL },
    value,
  };
  await asBot.chat.postMessage({
    channel: slack.channel('#ops').id,
    text: 'forged',
    blocks: [{ type: 'actions', elements: [button] }],
  });
  await slack.person('bob').presses(botMessages(sandbox).at(-1)!, TELL);
  await privateMessage(sandbox, 'bob', 'Someone else asked that.');
  await hosting.start();
  await sandbox.settled();
  expect([told(sandbox, 'ana'), told(sandbox, 'bob')]).toEqual([[], []]);
});

test('pressed twice, it is told once; asked of two things, both are buttons of one message', async () => {
  const sandbox = await play(ADMINS);
  const { slack, hosting } = sandbox;
  await hosting.stop();
  const answer = await answeredWith(sandbox, 'ana', '/billing usage');
  await slack.person('ana').presses(answer, TELL);
  await slack.person('ana').presses(answer, TELL);
  await waits(sandbox, 'ana', '/billing transactions');
  await hosting.start();
  const message = await dmWith(sandbox, 'ana', 'answers again');
  expect(slack.read(message)).toContain('[ Billing usage ] [ Billing transactions ]');
  await sandbox.settled();
  expect(told(sandbox, 'ana')).toHaveLength(1);
});

test('after a day, who waits is told that it still does not answer, and can ask again', async () => {
  const sandbox = await play({ ...ADMINS, timings: { askIfBackEveryMs: 2_000 } });
  const { slack, hosting } = sandbox;
  await hosting.stop();
  await waits(sandbox, 'ana', '/billing usage');
  const redis = new Redis(sandbox.redisUrl);
  const key = '{lamplighter}:waiting';
  const record = JSON.parse((await redis.hget(key, 'record')) ?? '') as { those: { at: number }[] };
  const [waiter] = record.those;
  waiter!.at -= 25 * 3_600_000;
  await redis.hset(key, 'record', JSON.stringify(record));
  redis.disconnect();
  const message = await dmWith(sandbox, 'ana', 'a day after you asked');
  expect(slack.read(message)).toBe(
    "The hosting service still doesn't answer, a day after you asked. I've stopped looking.\n[ Billing usage ]",
  );
  await hosting.start();
  await sandbox.settled();
  expect(told(sandbox, 'ana')).toEqual([]);
});
