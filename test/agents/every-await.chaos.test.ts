import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TEAM } from '../../sandbox/people.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { signed } from '../support/agent.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { powerCalls } from '../support/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** What sweeps and watchdogs ask on their own beat is on nobody's road. */
const BEATS = /\.(listDue|nextPollAt|listOpen|listOpenLatest|policy)$/;
const AT_ONCE = 6;
/** How long an agent and a person go on. */
const LIMIT_MS = 90_000;
/** What a busy machine is late with comes within this; what does not is stuck. */
const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** An agent gives up what isn't answered, and asks again. */
const ASK_AGAIN_AFTER_MS = 3_000;
/** So much of the log is printed. */
const LAST_LINES = 40;

interface Told {
  readonly passed: readonly string[];
  readonly calls: number;
  /** All that its person ever was proposed, as it reads in the end. */
  readonly proposals: readonly string[];
  readonly isShown: boolean;
  /** The cards that say an end, by their icons. */
  readonly ends: string;
  /** What the agent hears of it in the end. */
  readonly heard: string;
  /** What the bots logged last, where something is missing. */
  readonly log: string;
}

/** A call of a tool in Ana's name, of the bot that was started last; empty where none answers. */
async function calls(sandbox: Sandbox, name: string, args: object): Promise<string> {
  const port = [...sandbox.logs.join('').matchAll(/"port":(\d+)/g)].at(-1)?.[1];
  const slack = { user_id: 'U0ANA000001', team_id: TEAM.id };
  const id = Math.floor(performance.now() * 1_000);
  const params = { name, arguments: args, ['_meta']: { slack } };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...signed(sandbox.slack.signingSecret, body),
  };
  try {
    const signal = AbortSignal.timeout(ASK_AGAIN_AFTER_MS);
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body, signal });
    return await response.text();
  } catch {
    return '';
  }
}

function proposalsOf({ slack }: Sandbox): readonly PostedMessage[] {
  return slack.person('ana').dms.filter((one) => !one.deleted && slack.read(one).startsWith('🤖'));
}

/** Whether the first proposal shows that it was gone ahead with. */
function isShownBegun(sandbox: Sandbox): boolean {
  const [first] = proposalsOf(sandbox);
  const text = first ? sandbox.slack.read(first) : '';
  return text.includes('👉 @ana pressed Go ahead.') && !text.includes('[ Go ahead ]');
}

function endsOf({ slack }: Sandbox): string {
  // Where Slack loses the card, its person reads the end alone as well.
  return slack
    .person('ana')
    .dms.filter(({ ephemeralFor }) => ephemeralFor === undefined)
    .map((one) => /^[✅❌❔⚪]/u.exec(slack.read(one))?.[0] ?? '')
    .join('');
}

/** Does it again and again for as long as people and agents would. */
async function goOn(isDone: () => boolean, act: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (!isDone() && performance.now() < until) {
    await act().catch(() => undefined);
    await wait(LOOK_EVERY_MS);
  }
}

/** A proposal's whole road: an agent proposes, its person presses, and the bot is interrupted somewhere on it. */
async function road(at?: { readonly point: string; readonly inject: Injection }): Promise<Told> {
  const database = await takeDatabase();
  const sandbox = await openSandbox({
    bot: false,
    // An edit that shows progress and sleeps between its last check and Slack lands after the end: nothing can take it back.
    timings: { ...QUICK, progressAfterMs: 60_000 },
    redisUrl: database.url,
    env: { LAMPLIGHTER_ALLOW: '', LAMPLIGHTER_AGENTS: 'yes' },
    hosting: { powerMs: 60, rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints(at);
  const { slack } = sandbox;
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    const atStart = failpoints.passed.length;
    const taken = failpoints.injected.then(async () => {
      if (at?.inject === 'crash') proxy.cut();
      if (at?.inject === 'pause') proxy.freeze();
      if (at?.inject !== 'answer lost') await sandbox.startBot();
    });
    taken.catch(() => undefined);
    let reference = '';
    await goOn(
      () => reference !== '',
      async () => {
        const proposed = { verb: 'restart', instance: 'web-1', because: 'it leaks memory' };
        reference =
          /"reference":"([\w-]{8})"/.exec(await calls(sandbox, 'propose_change', proposed))?.[1] ?? '';
      },
    );
    await goOn(
      () => endsOf(sandbox) !== '',
      async () => {
        const [message] = proposalsOf(sandbox);
        if (message && slack.read(message).includes('[ Go ahead ]'))
          await slack.person('ana').presses(message, 'Go ahead');
        await slack.until(() => endsOf(sandbox) !== '', { timeoutMs: 2_000 });
      },
    );
    await sandbox.settled(STUCK_AFTER_MS);
    // What Slack lost is looked for, and shown once it is found.
    await slack.until(() => isShownBegun(sandbox), { timeoutMs: STUCK_AFTER_MS }).catch(() => undefined);
    if (at?.inject === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    let heard = '';
    await goOn(
      () => heard !== '',
      async () => {
        heard = /"state":"(\w+)"/.exec(await calls(sandbox, 'get_proposal', { reference }))?.[1] ?? '';
      },
    );
    await sandbox.stopBots();
    return {
      passed: failpoints.passed.slice(atStart),
      calls: powerCalls(sandbox),
      proposals: proposalsOf(sandbox).map((one) => slack.read(one)),
      isShown: isShownBegun(sandbox),
      ends: endsOf(sandbox),
      heard,
      log: sandbox.logs.slice(-LAST_LINES).join(''),
    };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
    database.release();
  }
}

/** One end, and a true one: done was asked once, not done never, and of the rest nobody can tell. */
function isTrue(called: number, ends: string): boolean {
  if (ends === '✅') return called === 1;
  if (ends === '⚪') return called === 0;
  return ends === '❔' && called <= 1;
}

function isRight({ calls: called, proposals, isShown, ends, heard }: Told): boolean {
  return proposals.length === 1 && isShown && isTrue(called, ends) && heard === 'begun';
}

describe("a proposal whose bot is interrupted at any of its road's awaits", () => {
  let points: string[] = [];
  beforeAll(async () => {
    const told = await road();
    if (!isRight(told)) throw new Error(`nothing is interrupted: ${JSON.stringify(told)}`);
    points = [...new Set(told.passed)].filter((point) => !BEATS.test(point.replace(/ \d+$/, '')));
  });

  it('has awaits at every part of its road', () => {
    const parts = new Set(points.map((point) => point.split('.')[0]));
    for (const part of ['agents', 'outbox', 'access', 'hosting', 'requests', 'operations', 'messenger'])
      expect(parts).toContain(part);
  });

  it.each(INJECTIONS)(
    'by "%s" is proposed once, begun once and reported once, truthfully',
    async (injection) => {
      const wrong: string[] = [];
      const left = [...points];
      const one = async (): Promise<void> => {
        for (let point = left.shift(); point !== undefined; point = left.shift()) {
          const told = await road({ point, inject: injection });
          if (!isRight(told))
            wrong.push(`${point}: ${JSON.stringify({ ...told, passed: [], log: '' })}\n${told.log}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      expect(wrong).toEqual([]);
    },
    900_000,
  );
});
