import { describe, expect, it, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { customer, instance, ordinary, sentinel } from '../../sandbox/world.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { CANARIES } from '../log/canaries.ts';
import { play, privateTexts, urlOf } from '../support/sandbox.ts';
import { lockRedis, openTalkativeProxy, readRedis, SECRETS, secretsIn } from './canary-scene.ts';
import { createDice, type Dice, NASTY_TEXTS } from './dice.ts';
import { FORM, JSON_TYPE, openDoor, sign } from './knocking.ts';
import { runs } from '../support/runs.ts';

const instances = [...ordinary, sentinel('says-503'), sentinel('loses-answers'), instance(777, 'says-key')];
const world = { customers: [customer('harbour', { apiKey: SECRETS.HOSTING_API_TOKEN, instances })] };

/** A bot whose every secret is a canary, at its most talkative, with a Redis that asks for a password. */
async function openScene(env: Record<string, string>): Promise<{ sandbox: Sandbox; redisUrl: string }> {
  const sandbox = await play({
    ownRedis: true,
    bot: false,
    isRefused: true,
    hosting: { world },
    slack: {
      botToken: SECRETS.SLACK_BOT_TOKEN,
      appToken: SECRETS.SLACK_APP_TOKEN,
      signingSecret: SECRETS.SLACK_SIGNING_SECRET,
    },
    env: { LOG_LEVEL: 'trace' },
  });
  // A client that is connected already needs no password.
  await sandbox.settled();
  const redisUrl = await lockRedis(sandbox.redisUrl, SECRETS.redisPassword);
  const proxy = await openTalkativeProxy(sandbox.env['HOSTING_API_URL']!, (path) => /\/10[35]\//.test(path));
  await sandbox.startBot({ ...env, REDIS_URL: redisUrl, HOSTING_API_URL: proxy });
  return { sandbox, redisUrl };
}

/** Work, faults and refusals, until all of it has ended. */
async function playScene(sandbox: Sandbox): Promise<void> {
  const { slack, hosting } = sandbox;
  const ana = slack.person('ana');
  slack.failNext('chat.postMessage', { error: `invalid ${SECRETS.SLACK_BOT_TOKEN} <html>` });
  slack.failNext('chat.update', { status: 500 });
  slack.loseAnswerOfNext('chat.postMessage');
  hosting.failNext({ method: 'GET' }, { answer: 'reset', done: false }, 1);
  const lines = [
    'restart web-1',
    'restart worker-1',
    'stop db-1',
    'stop says-503',
    'restart loses-answers',
    'show 777',
    '',
  ];
  for (const line of [...lines, 'restart nothing', 'name:says*'])
    await ana.types('#ops', `/instances ${line}`);
  await ana.mentions('#ops', 'restart web-2');
  slack.failNext('response_url', { status: 500 });
  slack.failNext('chat.postEphemeral', { error: `token ${SECRETS.SLACK_BOT_TOKEN} is not valid` });
  await ana.types('#ops', '/lamplighter operations');
  await slack.until(() => privateTexts(sandbox, 'ana').some((text) => text.includes('777')));
  await sandbox.settled();
}

/** Everything that anybody could read of the bot from outside. */
async function everythingSaid(sandbox: Sandbox, redisUrl: string): Promise<Record<string, string>> {
  const bodies = await Promise.all(
    ['/metrics', '/readyz', '/healthz', '/', '/slack/events'].map(async (path) => {
      const answer = await fetch(urlOf(sandbox, path));
      return JSON.stringify([...answer.headers]) + (await answer.text());
    }),
  );
  const redis = await readRedis(redisUrl);
  expect(redis.count).toBeGreaterThan(10);
  return {
    log: sandbox.logs.join(''),
    calls: JSON.stringify(sandbox.slack.calls.map(({ method, args }) => [method, args])),
    messages: JSON.stringify(
      sandbox.slack.channel('#ops').history.map(({ content, edits }) => [content, edits]),
    ),
    redis: redis.text,
    bodies: bodies.join('\n'),
  };
}

async function expectNoSecret(sandbox: Sandbox, redisUrl: string): Promise<void> {
  const said = await everythingSaid(sandbox, redisUrl);
  for (const [where, text] of Object.entries(said)) expect([where, ...secretsIn(text)]).toEqual([where]);
  // The scene was one: it spoke of everything, and something was hidden.
  expect(said['messages']).toContain('[hidden]');
  expect(said['messages']).toContain('The service said');
  expect(said['redis']).toContain('web-1');
}

describe('a bot in trouble tells none of its secrets in logs, messages, Redis or over HTTP:', () => {
  it('over HTTP, to forgers too, and when Redis wants another password', async () => {
    const { sandbox, redisUrl } = await openScene({});
    // Another process comes with a password that Redis does not take.
    const wrong = redisUrl.replace(encodeURIComponent(SECRETS.redisPassword), SECRETS.wrongPassword);
    const [refused] = await Promise.all([
      sandbox.startBot({ REDIS_URL: wrong }).catch((error: unknown) => error),
      playScene(sandbox),
    ]);
    if (!(refused instanceof Error)) throw new Error('a bot started with a wrong password');
    const shown = `${String(refused)} ${String(refused.cause)} ${refused.stack}`;
    expect(shown).toContain('Redis');
    expect(secretsIn(shown)).toEqual([]);
    const send = openDoor(sandbox);
    const body = Buffer.from(
      `{"type":"event_callback","event":{"type":"x"},"token":"${SECRETS.SLACK_SIGNING_SECRET}"}`,
    );
    for (const secret of [SECRETS.SLACK_SIGNING_SECRET, 'another']) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': sign(secret, timestamp, body),
      };
      for (const type of [FORM, JSON_TYPE]) {
        await send({
          method: 'POST',
          path: '/slack/events',
          headers: { ...headers, 'content-type': type },
          body,
        });
      }
    }
    await expectNoSecret(sandbox, redisUrl);
  });

  it('over Socket Mode, when its token is revoked', async () => {
    const { sandbox, redisUrl } = await openScene({ SLACK_APP_TOKEN: SECRETS.SLACK_APP_TOKEN });
    await playScene(sandbox);
    sandbox.slack.revokeToken(SECRETS.SLACK_BOT_TOKEN);
    const asked = sandbox.logs.length;
    await sandbox.slack.person('ana').types('#ops', '/instances start staging');
    await sandbox.slack.until(() => sandbox.logs.slice(asked).some((line) => line.includes('token_revoked')));
    await expectNoSecret(sandbox, redisUrl);
  });
});

/** A thing of any shape with a secret somewhere in it. */
function anything(dice: Dice, secret: string, depth = 0): unknown {
  const text = `${dice.pick(NASTY_TEXTS).slice(0, 100)}${secret}${dice.pick(NASTY_TEXTS).slice(0, 100)}`;
  const inner = (): unknown => (depth > 4 ? text : anything(dice, secret, depth + 1));
  switch (dice.below(depth > 4 ? 7 : 14)) {
    case 0:
      return secret;
    case 1:
      return `https://user:${encodeURIComponent(secret)}@h.test/?token=${encodeURIComponent(secret)}`;
    case 2:
      return new URLSearchParams({ token: secret }).toString();
    case 3:
      return JSON.stringify({ token: secret });
    case 4:
      return `Authorization: Bearer ${secret}`;
    case 5:
      return new Map([[secret, secret]]);
    case 6:
      return { toJSON: () => ({ [secret]: text }) };
    case 7:
      return [inner(), dice.below(9), inner()];
    case 8:
      return { [dice.pick(['token', 'error', 'err', 'cause', 'headers', '__proto__'])]: inner() };
    case 9:
      return { [text]: inner() };
    case 10:
      return new Error(text, { cause: inner() });
    case 11:
      return Object.assign(new TypeError('x'), { stack: text, config: inner(), request: inner() });
    case 12:
      return new AggregateError([inner(), new Error(text)], text);
    default: {
      const details = { fault: 'no-answer', outcome: 'unknown', retryable: true, said: text } as const;
      return new HostingError(text, { ...details, cause: inner() });
    }
  }
}

const LINES = runs(10_000);

test('lines about things of any shape with secrets in them, and none comes out', () => {
  const lines: string[] = [];
  const log = createLog('trace', CANARIES, { write: (line) => lines.push(line) });
  let hidden = 0;
  for (let round = 0; round < LINES; round++) {
    const dice = createDice(round);
    const secret = dice.pick(CANARIES);
    const thing = anything(dice, secret);
    const level = dice.pick(['debug', 'info', 'warn', 'error'] as const);
    lines.length = 0;
    log[level](
      { [dice.pick(['error', 'err', 'x', 'body'])]: thing },
      dice.oneIn(3) ? `about ${secret}` : 'x',
    );
    const found = secretsIn(lines.join(''), [secret]);
    if (found.length > 0 || lines.length !== 1)
      throw new Error(`round ${round}: ${secret} in ${lines.join('')}`);
    if (lines[0]!.includes('[hidden]')) hidden += 1;
  }
  expect(hidden).toBeGreaterThan(LINES / 2);
});
