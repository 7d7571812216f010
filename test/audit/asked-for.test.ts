import { expect, it } from 'vitest';
import type { Entry } from '../../src/core/audit/entry.ts';
import type { Bot } from '../../src/core/bot/bot.ts';
import { auditRoute } from '../../src/features/audit/audit.ts';
import type { Audited } from '../../src/features/audit/words.ts';
import { historyRoute } from '../../src/features/audit/history.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const KEEP_MS = 400 * 86_400_000;
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
  const kept = new Map<string, unknown>();
  return {
    offers: {
      make: async (_: unknown, what: unknown) => {
        const id = String(kept.size).padStart(22, '0');
        kept.set(id, what);
        return id;
      },
      find: async (_: unknown, id: string) => ({ what: kept.get(id) }),
    },
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
    keepMs: KEEP_MS,
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
  const route = auditRoute(deps(entries) as Audited); // the parts that it asks
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
    const route = historyRoute(deps(entries) as Bot, KEEP_MS); // the parts that it asks
    const shown = async (words: string[], value?: string): Promise<Message> =>
      (await route.handle({ ...asked, words, ...(value && { value }) }, NO_AUDIT)) as Message;
    const first = await shown(['--', id]);
    expect(first.bullets).toHaveLength(15);
    const [older] = first.buttons ?? [];
    expect((await shown([], older?.value)).bullets).toHaveLength(5);
    const bounded = await shown(['--last', '30m', '--', id]);
    expect(toPlainText(bounded.lines[0] ?? [])).toContain('in the last 30 minutes');
    const second = await shown([], bounded.buttons?.[0]?.value);
    expect(toPlainText(second.lines[0] ?? [])).toContain('between');
    expect(second.bullets).toHaveLength(5);
  },
);

it('the audit has pages, and each has what is asked for alone', async () => {
  const hers = Array.from({ length: 40 }, (_, at) => attempt(NOW - 9_000 - at * 2_000, ANA, 'db-1')).flat();
  const route = auditRoute(deps([...others(3), ...hers]) as Audited); // the parts that it asks
  const shown = async (words: string[], value?: string): Promise<Message> =>
    (await route.handle({ ...asked, words, ...(value && { value }) }, NO_AUDIT)) as Message;
  const first = await shown([ANA]);
  expect(toPlainText(first.lines[0] ?? [])).toContain(
    '40 attempts in the last 7 days, newest first (1 to 30',
  );
  const second = await shown([], first.buttons?.[0]?.value);
  expect(toPlainText(second.lines[0] ?? [])).toContain('(31 to 40 of 40)');
  expect(second.bullets).toHaveLength(10);
});
