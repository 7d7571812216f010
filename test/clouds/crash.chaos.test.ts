import { describe, expect, test } from 'vitest';
import { askFor } from '../../faults/asking.ts';
import { type Ask, readBooks } from '../../faults/books.ts';
import { CLOUD_FAULTED, writtenAt } from '../../faults/cloud-writes.ts';
import type { FaultedKind } from '../../faults/kinds.ts';
import { createMailboxes } from '../../faults/mailboxes.ts';
import { createRandom, type Random } from '../../faults/random.ts';
import { judge } from '../../faults/verdict.ts';
import type { CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Fault } from '../../sandbox/clouds/faults.ts';
import type { RecordedCall } from '../../sandbox/hosting/calls.ts';
import { PEOPLE, TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { CHANNELS } from '../../sandbox/slack/workspace/standard-channels.ts';
import { startProcess } from '../support/process.ts';
import { CLOUDS, playOn } from './play-on.ts';

const SEEDS = [1, 4];
const GROUPS = 3;
const ASKS_OF_GROUP = 4;
/** In each group two people ask for the same. */
const MACHINES_OF_GROUP = ASKS_OF_GROUP - 1;
const WHERE = '#ops';
const OFF = { digitalocean: 'off', hetzner: 'off', vultr: { power_status: 'stopped' } } as const;
const TIMINGS = { patienceMs: 3_000, slowAfterMs: 1_500 };
const SETTLE_LIMIT_MS = 90_000;

const kinds = CLOUD_FAULTED.filter(({ isSeveral }) => !isSeveral);

interface Task {
  readonly token: string;
  readonly kind: FaultedKind;
  readonly machine: string;
}

/** Who asks for what, in groups: twelve requests, each by a person of their own. */
function tasksOf(random: Random): readonly (readonly Task[])[] {
  return Array.from({ length: GROUPS }, (_, group) => {
    const first = Array.from({ length: MACHINES_OF_GROUP }, (__, nth): Task => {
      const machine = `m-${group}-${nth}`;
      // Of every kind in each run, and most often the one that must not come twice.
      const kind = nth === 0 ? kinds[0]! : kinds[(group * MACHINES_OF_GROUP + nth) % kinds.length]!;
      return { token: `ask-${group}-${nth}`, kind, machine };
    });
    return [...first, { ...random.pick(first), token: `ask-${group}-again` }];
  });
}

/** At which of the calls that come after a group has asked the bot is killed, at most. */
const MOST_CALLS = 8;

/** What goes wrong by itself until `end` is called. `call`: resolves as the nth call from now reaches the cloud. */
function weatherAt(kind: CloudKind, random: Random) {
  let calls = 0;
  let reached: { readonly count: number; readonly tell: () => void } | undefined;
  const struck: Fault['kind'][] = [];
  const often = new Map<string, number>();
  let isOver = false;
  const writes: readonly Fault[] = [
    { kind: 'reset', acts: true },
    { kind: 'reset' },
    { kind: 'too-many', waitSeconds: 1 },
    { kind: 'status', status: 423, ...(kind === 'hetzner' ? { code: 'locked' } : {}) },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 500, acts: true },
    { kind: 'malformed' },
    { kind: 'html', acts: true },
    // Vultr names no actions, so that none of them can say that it failed.
    ...(kind === 'vultr' ? [] : [{ kind: 'action-fails' } as const]),
  ];
  const reads: readonly Fault[] = [{ kind: 'reset' }, { kind: 'status', status: 500 }, { kind: 'html' }];
  const call = (nth: number): Promise<void> =>
    new Promise((tell) => void (reached = { count: calls + nth, tell }));
  const weather = ({ method, path }: RecordedCall): Fault | undefined => {
    calls += 1;
    if (calls === reached?.count) reached.tell();
    // Each call has draws of its own, whatever comes before it.
    const name = `${method} ${path}`;
    const nth = (often.get(name) ?? 0) + 1;
    often.set(name, nth);
    const draws = random.fork(`${name} ${nth}`);
    if (isOver || !draws.chance(method === 'GET' ? 0.1 : 0.6)) return undefined;
    const fault = draws.pick(method === 'GET' ? reads : writes);
    struck.push(fault.kind);
    return fault;
  };
  return { weather, struck, call, end: () => void (isOver = true) };
}

/** Has all of a group ask at once. */
async function askAll(sandbox: Sandbox, tasks: readonly Task[]): Promise<readonly Ask[]> {
  const mailboxes = createMailboxes(sandbox, [WHERE]);
  return Promise.all(
    tasks.map(async ({ token, kind, machine: name }) => {
      const person = sandbox.slack.person(token);
      const asking = { kind, name, token, channel: WHERE, way: 'command', again: false } as const;
      const heard = await askFor(sandbox, mailboxes, person, asking);
      return { token, instanceId: name, name, kind, userId: person.id, ...heard };
    }),
  );
}

/** What each who asked has read alone: why less was begun than is asked for. */
function readByAll({ slack }: Sandbox, tasks: readonly Task[]): string {
  const readBy = ({ token }: Task): string[] =>
    slack
      .channel(WHERE)
      .ephemeralFor(token)
      .map((message) => slack.read(message));
  return tasks.map((task) => `${task.token}: ${readBy(task).join(' / ')}`).join('\n');
}

describe.each(CLOUDS)('%s, with a bot that is killed', (service) => {
  test.each(SEEDS)(
    'tells each of twelve requests truly and once, and restarts nothing twice: seed %i',
    async (seed) => {
      const random = createRandom(seed).fork(service);
      const groups = tasksOf(random);
      const tasks = groups.flat();
      const { weather, struck, call, end } = weatherAt(service, random);
      const machines = [...new Map(tasks.map((task) => [task.machine, task])).values()].map(
        ({ machine: name, kind }) => (kind.from === 'stopped' ? { name, status: OFF[service] } : { name }),
      );
      const people = tasks.map(({ token }, nth) => ({
        id: `U0ASK${String(nth).padStart(6, '0')}`,
        handle: token,
        name: token,
        teamId: TEAM.id,
      }));
      const { cloud, sandbox } = await playOn(
        service,
        { machines, weather, rateLimit: 100_000 },
        {
          bot: false,
          slack: { people: [...PEOPLE, ...people], channels: CHANNELS },
          env: { LAMPLIGHTER_EVERYONE: 'admin' },
        },
      );
      let bot = await startProcess(sandbox, { timings: TIMINGS });
      const asked: Ask[] = [];
      for (const group of groups) {
        asked.push(...(await askAll(sandbox, group)));
        // Where all has ended before that call, it is killed then.
        await Promise.race([call(random.between(1, MOST_CALLS)), sandbox.settled(SETTLE_LIMIT_MS)]);
        await bot.end('SIGKILL');
        bot = await startProcess(sandbox, { timings: TIMINGS });
      }
      // On a busy machine all that is asked may begin only now.
      await expect.poll(() => struck.length, { timeout: SETTLE_LIMIT_MS }).toBeGreaterThan(0);
      end();
      await sandbox.settled(SETTLE_LIMIT_MS);
      const books = await readBooks(sandbox, { asked, looked: [] }, writtenAt(cloud), [WHERE]);
      expect(judge(books)).toMatchObject({
        lostFinals: [],
        doubledFinals: [],
        falseFinals: [],
        sentTwice: [],
        misrecorded: [],
        notAcknowledged: 0,
      });
      expect(books.operations.length, readByAll(sandbox, tasks)).toBeGreaterThanOrEqual(GROUPS * 2);
      await bot.end('SIGKILL');
    },
  );
});
