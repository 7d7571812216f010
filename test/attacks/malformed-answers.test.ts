import { describe, expect, test } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { errorOfAnswer } from '../../src/platform/hosting/errors.ts';
import { type HostingService, type Instance, POWERS, STATUSES } from '../../src/platform/hosting/service.ts';
import { clientOf, openServer } from '../hosting/calling.ts';
import { createDice, type Dice, mutateBody, NASTY_TEXTS } from './dice.ts';
import { isPolluted, MAX_MS, watchForCrashes } from './watching.ts';
import { PURE_RUNS, RULE_RUNS, runs } from '../support/runs.ts';

const instance = {
  id: 101,
  name: 'web-1',
  status: 'running',
  tier: 'pro',
  health_status: 'healthy',
  created_at: '2026-01-01T00:00:00Z',
  can_stop: true,
  daily_claw_cost: '12.50',
};
const addon = {
  id: 9,
  addon_type: 'llm',
  instance_id: 101,
  daily_claws: 5,
  current_usage: 1,
  usage_limit: 10,
};
const transaction = { id: 7, type: 'usage', amount: -225, balance_after: '1275', created_at: '2026-01-01' };
const balance = { claws_balance: 1500, daily_claw_cost: 225, days_remaining: 6, low_balance: false };

const ANSWERS: readonly unknown[] = [
  { data: [instance, { ...instance, id: 'srv-2', name: 'web-2' }], meta: { page: 1, total_pages: 2 } },
  { data: [instance], meta: { next_cursor: 'abc' } },
  { instances: [instance], links: { next: '/api/v1/instances?page=2' } },
  { data: instance },
  { instance },
  { data: balance },
  { data: { daily_total: 270, instances: [{ id: 1, daily_claws: 10 }], addons: [addon] } },
  { data: [transaction], meta: { page: 1, pages: 3 } },
  { data: [addon] },
  { error: { code: 'not_found', message: 'gone', details: { tier: 'is unknown' } } },
  { errors: [{ field: 'tier', message: 'is unknown' }] },
];

const AMOUNT = /^-?\d{1,20}(\.\d{1,10})?$/;

/** As `expect`, but fast enough for a million times. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);
const isStatus = (word: string): boolean => [...STATUSES, 'unknown'].includes(word);

/** What the code that draws an instance or acts on it relies on. */
function mustBeInstance(one: Instance, body: string): void {
  must([one.id, one.name, one.statusWord].every(isText), 'id, name and status are words');
  must(isStatus(one.status), 'the status is one that the bot knows');
  const can = Object.entries(one.can);
  must(
    can.every(([power]) => POWERS.some((known) => known === power)),
    'powers are those there are',
  );
  must(
    can.every(([, possible]) => typeof possible === 'boolean'),
    'a power is possible or not',
  );
  const { tier, billingMode, ipAddress, health, createdAt, address, dailyCostCredits } = one;
  must([tier, billingMode, ipAddress, health, createdAt, address].every(isTextOrNone), 'facts are words');
  must(dailyCostCredits === undefined || AMOUNT.test(dailyCostCredits), 'the cost is an amount');
  must(body.includes(JSON.stringify(one.id).slice(1, -1)), 'the id stands in the answer');
  must(Object.getPrototypeOf(one) === Object.prototype, 'it is a plain object');
  must(!('polluted' in one) && !('polluted' in one.can), 'nothing has crept in');
}

/** Every way to read, each with what must hold of what it gives back. */
const READS: readonly ((hosting: HostingService, body: string) => Promise<void>)[] = [
  async (hosting, body) => {
    const { instances, incomplete } = await hosting.listInstances();
    must(incomplete === undefined || incomplete.read === instances.length, 'as many as were read');
    for (const one of instances) mustBeInstance(one, body);
    must(new Set(instances.map((one) => one.id)).size === instances.length, 'an id comes once');
  },
  async (hosting, body) => {
    const found = await hosting.findInstance('101');
    if (found === undefined) return;
    mustBeInstance(found, body);
    must(found.id === '101', 'it is the one that was asked for');
  },
  async (hosting) => {
    const found = await hosting.getBalance();
    if (found === undefined) return;
    const { credits } = found;
    must(AMOUNT.test(credits), 'a balance is an amount');
  },
  async (hosting) => {
    const { instances, addons } = await hosting.getUsage();
    for (const one of instances)
      must([one.id, one.name, one.status, one.dailyCredits].every(isTextOrNone), 'usage');
    for (const one of addons)
      must([one.id, one.type, one.dailyCredits].every(isTextOrNone), 'add-ons in usage');
  },
  async (hosting) => {
    const { transactions, hasMore } = await hosting.listTransactions(1, 10);
    must(typeof hasMore === 'boolean', 'there is more or not');
    for (const one of transactions)
      must(
        (one.amountCredits === undefined || AMOUNT.test(one.amountCredits)) && isText(one.id),
        'a transaction',
      );
  },
  async (hosting) => {
    for (const one of (await hosting.listAddons())?.addons ?? [])
      must(isText(one.id) && isText(one.type), 'an add-on');
  },
  async (hosting) => {
    const { status } = await hosting.powerInstance('101', 'stop');
    must(status === undefined || isStatus(status), 'a power answer has a status that the bot knows or none');
  },
];

/** Runs a read; anything that comes out but a HostingError is a crash. Gives whether it read something. */
async function survives(read: Promise<void>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    must(error.message.length < 500 && (error.said ?? '').length <= 300, 'an error is short');
    return false;
  }
}

const HEADERS = ['link', 'retry-after', 'x-ratelimit-reset', 'ratelimit-reset', 'content-type'];
/** What a header can hold at all. */
const inHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 2_000);

function someHeaders(dice: Dice): Record<string, string> {
  const value = dice.pick([
    ...NASTY_TEXTS,
    '</api/v1/instances?page=2>; rel="next"',
    '<//evil.test/>; rel=next',
    '1e9',
  ]);
  return dice.oneIn(3) ? { [dice.pick(HEADERS)]: inHeader(value) } : {};
}

test(
  'malformed answers: each is read rightly or is a HostingError, and nothing else comes of it',
  async () => {
    let body = '';
    let headers: Record<string, string> = {};
    let pages = 0;
    const answer = async (): Promise<{ status: number; headers: Record<string, string>; body: unknown }> => {
      pages += 1;
      let parsed: unknown = body;
      try {
        parsed = body.trim() === '' ? undefined : JSON.parse(body);
      } catch {
        // Text that is no JSON is handed on as text.
      }
      return { status: 200, headers, body: parsed };
    };
    const requester = { read: answer, write: answer, close: async () => undefined };
    let readable = 0;
    for (let round = 0; round < PURE_RUNS; round++) {
      const dice = createDice(round);
      body = mutateBody(dice, dice.pick(ANSWERS));
      headers = someHeaders(dice);
      pages = 0;
      const hosting = createHostingClient(instanceHosting, 'https://api.example.test', requester);
      try {
        if (await survives(dice.pick(READS)(hosting, body))) readable += 1;
      } catch (error) {
        throw new Error(`round ${round}: ${body}`, { cause: error });
      }
      must(pages <= 50, 'reading comes to an end');
    }
    // Enough of them were near enough to be read.
    expect(readable).toBeGreaterThan(PURE_RUNS / 20);
    expect(isPolluted()).toBe(false);
  },
  MAX_MS,
);

test('malformed errors: what may have been done is never told as refused, and in few words', () => {
  for (let round = 0; round < RULE_RUNS; round++) {
    const dice = createDice(round);
    const text = mutateBody(dice, dice.pick(ANSWERS));
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // Text that is no JSON is handed on as text.
    }
    const status = 300 + dice.below(300);
    const {
      outcome,
      said = '',
      retryAfterMs = 1_000,
    } = errorOfAnswer('stopping', { status, headers: someHeaders(dice), body }, 0);
    const mayBeDone = status < 400 || status >= 500 || [408, 418, 425, 451, 499].includes(status);
    must(outcome === 'unknown' || !mayBeDone, `round ${round}: ${status} may have been done`);
    must(outcome === 'not-done' || status !== 429, `round ${round}: ${status} was not done`);
    must(said.length <= 300 && !/[\r\n]/.test(said), `round ${round}: ${said}`);
    must(retryAfterMs >= 1_000 && retryAfterMs <= 3_600_000, `round ${round}: ${retryAfterMs} ms`);
  }
  expect(isPolluted()).toBe(false);
});

describe('over HTTP', () => {
  test('malformed answers: each is read rightly or is a HostingError, and the client goes on', async () => {
    const crashes = watchForCrashes();
    let next = { status: 200, headers: {} as Record<string, string>, body: '' };
    const { url } = await openServer((_request, response) => {
      response.writeHead(next.status, next.headers);
      response.end(Buffer.from(next.body, 'utf8'));
    });
    const hosting = clientOf(url, { timeoutMs: 2_000 });
    for (let round = 0; round < runs(1_000); round++) {
      const dice = createDice(round);
      const body = mutateBody(dice, dice.pick(ANSWERS));
      // A read is repeated after a fault that may pass, with pauses: those are for the write alone.
      const read = dice.pick(READS);
      const isWrite = read === READS.at(-1);
      const status = dice.pick(
        isWrite ? [200, 202, 302, 422, 429, 500, 503] : [200, 200, 200, 201, 301, 400, 404, 418, 422],
      );
      const coding: Record<string, string> = dice.oneIn(20)
        ? { 'content-encoding': dice.pick(['gzip', 'br', 'identity', 'x']) }
        : {};
      next = { status, headers: { ...someHeaders(dice), ...coding }, body };
      await survives(read(hosting, body)).catch((error: unknown) => {
        throw new Error(`round ${round}: ${status} ${body}`, { cause: error });
      });
    }
    next = { status: 200, headers: {}, body: JSON.stringify({ data: [instance] }) };
    expect((await hosting.listInstances()).instances).toMatchObject([
      { id: '101', name: 'web-1', status: 'running' },
    ]);
    expect(crashes).toEqual([]);
    expect(isPolluted()).toBe(false);
  });
});
