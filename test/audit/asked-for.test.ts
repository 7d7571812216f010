import { expect, it } from 'vitest';
import type { Entry } from '../../src/core/audit/entry.ts';
import { auditRoute, type AuditRouteDeps } from '../../src/features/audit/audit.ts';
import { type HistoryDeps, historyRoute } from '../../src/features/audit/history.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ANA = 'U0ANA000001';

/** An attempt, newest first: its end, and its beginning a second before. */
function attempt(at: number, by: string, id: string, result = 'done'): readonly Entry[] {
  const of = { requestId: `r${at}`, by, route: 'instances.restart', target: { id, name: id } };
  return [
    { ...of, what: 'ended', at: at + 1_000, result },
    { ...of, what: 'asked', at },
  ] as unknown as readonly Entry[];
}

const NO_AUDIT = { add: () => undefined } as never; // nothing is written

/** What a route asks of the rest of the bot, over an audit of these entries. */
function deps(entries: readonly Entry[]): unknown {
  return {
    auditReader: {
      read: async (passes: (entry: Entry) => boolean, { limit }: { limit: number }) => {
        const found: unknown[] = [];
        for (const [seq, entry] of entries.entries())
          if (found.length < limit && passes(entry)) found.push({ seq, entry });
        return found;
      },
    },
    access: {
      which: async () => () => true,
      meets: async () => () => true,
      check: async () => ({ allowed: true }),
      policy: async () => ({}),
    },
    people: { zone: async () => 'UTC', name: async () => undefined },
    hosting: { listInstances: async () => ({ instances: [] }) },
    operations: { find: async () => undefined },
    clock: { now: () => NOW },
    nounOf: () => 'instances',
    keepMs: 400 * 86_400_000,
  };
}

const asked = {
  id: 'x',
  route: 'x',
  actor: { userId: ANA },
  place: { channelId: 'C1' },
  askedAt: NOW,
  replaces: false,
};

async function auditOf(entries: readonly Entry[], ...words: string[]): Promise<string> {
  const route = auditRoute(deps(entries) as AuditRouteDeps); // the parts that it asks
  const said = (await route.handle({ ...asked, words }, NO_AUDIT)) as Message;
  return [...said.lines, ...(said.bullets ?? [])].map(toPlainText).join('\n');
}

/** So many attempts of somebody else, all of them after those of Ana. */
const others = (count: number): Entry[] =>
  Array.from({ length: count }, (_, at) => attempt(NOW - 10_000 - at * 2, 'U0BOB000001', 'web-1')).flat();

it('what others did meanwhile leaves room for what is asked for, with its end', async () => {
  const hers = [1, 2, 3].flatMap((days) => attempt(NOW - days * 86_400_000, ANA, 'db-1', 'failed'));
  const said = await auditOf([...others(600), ...hers], ANA);
  expect(said).toContain('3 attempts');
  expect(said.match(/failed/g)).toHaveLength(3);
});

it('what failed is found among more that did not than are read for a screen', async () => {
  const failed = attempt(NOW - 86_400_000, 'U0BOB000001', 'web-1', 'failed');
  expect(await auditOf([...others(600), ...failed], 'failed')).toContain('One attempt');
  expect(await auditOf([...others(600), ...failed], 'db-1', 'failed')).toContain(
    'I found nothing about "db-1"',
  );
});

it('where there are more of what is asked for than are read, it says so', async () => {
  expect(await auditOf(others(600), 'done')).toMatch(/^At least \d+ attempts/);
});

it.each(['zone/eu/7', 'a/1', '9/2/100/200', 'two words'])(
  'the pages of a history are turned, whatever the id is made of: %s',
  async (id) => {
    const entries = Array.from({ length: 20 }, (_, at) => attempt(NOW - 10_000 - at * 2_000, ANA, id)).flat();
    const route = historyRoute(deps(entries) as HistoryDeps); // the parts that it asks
    const turned = async (value: string): Promise<Message> =>
      (await route.handle({ ...asked, words: [], value }, NO_AUDIT)) as Message;
    const first = await turned(`0   ${id}`);
    expect(first.bullets).toHaveLength(15);
    const [older] = first.buttons ?? [];
    expect((await turned(older?.value ?? '')).bullets).toHaveLength(5);
    const bounded = await turned(`0 ${NOW - 30_000} ${NOW} ${id}`);
    expect(toPlainText(bounded.lines[0] ?? [])).toContain('between');
    expect(bounded.bullets?.length).toBeGreaterThan(5);
  },
);

it('a page that was shown before an update is turned still', async () => {
  const entries = Array.from({ length: 20 }, (_, at) =>
    attempt(NOW - 10_000 - at * 2_000, ANA, '101'),
  ).flat();
  const route = historyRoute(deps(entries) as HistoryDeps); // the parts that it asks
  const said = (await route.handle({ ...asked, words: [], value: '101/15' }, NO_AUDIT)) as Message;
  expect(said.bullets).toHaveLength(5);
});
