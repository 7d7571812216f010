import { keyInHeader } from '../../src/platform/hosting/auth.ts';
import { describe, expect, test } from 'vitest';
import type { ErrorStyle, PagingStyle, Variant } from '../../sandbox/hosting/variant.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { clientOf, faultOf, openAnswer, openBudget, openCompany } from './calling.ts';

const world = worldOf(
  [
    instance(1, 'web-1'),
    instance(2, 'web-2', { status: 'stopped' }),
    instance(3, 'web-3', { status: 'pending_configuration' }),
    instance(4, 'web-4', { status: 'paused' }),
    instance(5, 'web-5', { status: 'deploy_failed' }),
  ],
  { addons: [{ id: 9, type: 'backup', instanceId: 1 }], historyDays: 3 },
);
const open = (variant: Variant) => openCompany({ world, variant });
const STATUSES = ['running', 'stopped', 'pending_configuration', 'paused', 'deploy_failed'];

async function expectTheWorld(variant: Variant): Promise<void> {
  const { hosting } = await open(variant);
  const { instances, incomplete } = await hosting.listInstances();
  expect(instances.map((one) => [one.id, one.name, one.status])).toEqual(
    STATUSES.map((status, index) => [String(index + 1), `web-${index + 1}`, status]),
  );
  expect(incomplete).toBeUndefined();
  for (const [index, status] of STATUSES.entries()) {
    expect(await hosting.findInstance(String(index + 1))).toMatchObject({ name: `web-${index + 1}`, status });
  }
  expect(await hosting.findInstance('77')).toBeUndefined();
}

test.each(['data', 'bare', 'servers', 'items', 'instances', 'data.instances'] as const)(
  'a list that stands under %s is read',
  (list) => expectTheWorld({ list }),
);

test.each(['data', 'instance', 'bare', 'one-element array'] as const)(
  'one record that comes as %s is read, and so is the answer to a power action',
  async (one) => {
    await expectTheWorld({ one });
    const { hosting, sandbox } = await open({ one });
    expect(await hosting.powerInstance('1', 'stop')).toEqual({ status: 'stopping' });
    expect(sandbox.countCalls('POST', '/api/v1/instances/1/stop')).toBe(1);
  },
);

const PAGING: readonly PagingStyle[] = ['pages', 'cursor', 'link header', 'Next-Range'];

describe.each(PAGING)('a list paged by %s', (style) => {
  test.each([1, 2, 5, 6])('is read whole, each once, in pages of %i', async (size) => {
    const { hosting } = await open({ paging: { style, size } });
    const { instances, incomplete } = await hosting.listInstances();
    expect(instances.map((one) => one.id)).toEqual(['1', '2', '3', '4', '5']);
    expect(incomplete).toBeUndefined();
  });

  test('ends where the service repeats itself or goes on for ever with empty pages', async () => {
    for (const mischief of ['repeats', 'endless'] as const) {
      const { hosting, sandbox } = await open({ paging: { style, size: 2, mischief } });
      const { instances } = await hosting.listInstances();
      expect(new Set(instances.map((one) => one.id))).toEqual(new Set(['1', '2', '3', '4', '5']));
      expect(sandbox.countCalls('GET', '/api/v1/instances')).toBeLessThanOrEqual(5);
    }
  });
});

test.each(['pages', 'link header'] as const)(
  'transactions are paged too, newest first, by %s',
  async (style) => {
    const { hosting } = await open({ paging: { style, size: 3 } });
    const first = await hosting.listTransactions(1, 3);
    expect(first.transactions).toHaveLength(3);
    expect(first.hasMore).toBe(true);
    const last = await hosting.listTransactions(100, 3);
    expect(last).toEqual({ transactions: [], hasMore: false });
  },
);

test('a next page at another origin is not asked for, and the list says that it is cut', async () => {
  const paging = { style: 'link header', size: 2, mischief: 'elsewhere' } as const;
  const { hosting, sandbox } = await open({ paging });
  const { instances, incomplete } = await hosting.listInstances();
  expect(instances.map((one) => one.id)).toEqual(['1', '2']);
  expect(incomplete).toMatchObject({ read: 2, isCertain: true });
  expect(sandbox.calls).toHaveLength(1);
});

describe.each(['status', 'state', 'power_status'] as const)('a status in the field %s', (statusField) => {
  test.each([undefined, 'upper', 'dashed', 'spaced'] as const)('is read in %s case', (statusCase) =>
    expectTheWorld({
      statusField,
      ...(statusCase === undefined ? {} : { statusCase }),
      statusWords: { running: 'active', stopped: 'stopped_in_place', paused: 'billing_suspension' },
    }),
  );
});

test.each(['state', 'power_status'] as const)(
  'the answer to a power action tells its %s',
  async (statusField) => {
    const { hosting } = await open({ statusField });
    expect(await hosting.powerInstance('1', 'stop')).toEqual({ status: 'stopping' });
  },
);

test('a status that nobody knows is unknown and keeps its word', async () => {
  const { hosting } = await open({ statusWords: { running: 'levitating' } });
  expect(await hosting.findInstance('1')).toMatchObject({ status: 'unknown', statusWord: 'levitating' });
});

test.each([
  ['record', { status: 'stopping' }, { status: 'starting' }, { status: 'deleting' }],
  ['empty', {}, {}, {}],
  ['empty object', {}, {}, {}],
  ['action object', {}, {}, {}],
] as const)(
  'a change answered with %s is a success, and an action never lends its status to the instance',
  async (changes, stop, start, remove) => {
    const { hosting, sandbox } = await open({ changes });
    expect(await hosting.powerInstance('1', 'stop')).toEqual(stop);
    expect(await hosting.powerInstance('2', 'start')).toEqual(start);
    expect(await hosting.deleteInstance('5')).toEqual(remove);
    expect([1, 2, 5].map((id) => sandbox.statusOf(id))).toEqual(['stopping', 'starting', 'deleting']);
    expect(sandbox.calls).toHaveLength(3);
  },
);

const STYLES: readonly ErrorStyle[] = ['object', 'string', 'list', 'flat', 'problem'];

test.each(['html', 'nothing'] as const)(
  'of errors written as %s, which is no form of a service, nobody says that an instance is gone or that there is no balance',
  async (errors) => {
    const { hosting, sandbox } = await open({ errors });
    expect(await faultOf(hosting.findInstance('77'))).toMatchObject({ fault: 'unclear', status: 404 });
    sandbox.failNext({ method: 'GET' }, { answer: 404, done: false }, 1);
    expect(await faultOf(hosting.getBalance())).toMatchObject({ fault: 'unclear' });
    expect(await hosting.getBalance()).toMatchObject({ credits: '1000' });
  },
);

test.each(STYLES)(
  'errors written as %s: what is not there is undefined, and a 422 for the wrong state is a wrong state',
  async (errors) => {
    const { hosting, sandbox } = await open({ errors });
    expect(await hosting.findInstance('77')).toBeUndefined();
    expect(await faultOf(hosting.powerInstance('2', 'stop'))).toMatchObject({
      fault: 'wrong-state',
      outcome: 'not-done',
    });
    expect(sandbox.countCalls('POST', /stop/)).toBe(1);
  },
);

test('a 422 with details is bad input, and its own words are kept', async () => {
  const { hosting } = await open({});
  expect(await faultOf(hosting.addAddon('1', { type: 'unheard-of' }))).toMatchObject({
    fault: 'bad-input',
    outcome: 'not-done',
    said: expect.any(String),
  });
});

test('ids that are strings are kept as they came', async () => {
  const { hosting, sandbox } = await open({ idPrefix: 'srv-' });
  expect((await hosting.listInstances()).instances[0]?.id).toBe('srv-1');
  expect(await hosting.findInstance('srv-1')).toMatchObject({ id: 'srv-1', name: 'web-1' });
  await hosting.powerInstance('srv-1', 'stop');
  expect(sandbox.countCalls('POST', '/api/v1/instances/srv-1/stop')).toBe(1);
  expect((await hosting.listAddons())?.addons[0]).toMatchObject({ id: 'srv-9', instanceId: 'srv-1' });
});

test.each(['claws_balance', 'balance', 'credit', 'credits', 'account_balance'])(
  'a balance under %s is read, as a number and as a decimal string',
  async (balanceField) => {
    for (const [money, credits] of [
      ['integer', '1000'],
      ['decimal string', '1000.00'],
    ] as const) {
      const { hosting } = await open({ balanceField, money });
      expect(await hosting.getBalance()).toMatchObject({ credits });
      const { transactions } = await hosting.listTransactions(1, 1);
      expect(transactions[0]?.balanceAfterCredits).toBe(credits);
      expect((await hosting.getUsage()).addons[0]?.dailyCredits).toMatch(/^12(\.00)?$/);
    }
  },
);

test('what a service does not say about an instance is left open', async () => {
  expect((await (await open({ allowances: 'absent' })).hosting.findInstance('1'))?.can).toEqual({});
  expect((await (await open({})).hosting.findInstance('1'))?.can).toEqual({
    start: false,
    stop: true,
    restart: true,
  });
});

test('add-ons can be listed, added and removed', async () => {
  const { hosting } = await open({});
  const added = await hosting.addAddon('1', { type: 'storage', tier: 'large' });
  expect(added).toMatchObject({ type: 'storage', tier: 'large', instanceId: '1', status: 'active' });
  expect(await hosting.removeAddon(added?.id ?? '')).toMatchObject({ status: 'canceled' });
  expect((await hosting.listAddons())?.addons.map((one) => one.type)).toEqual(['backup', 'storage']);
});

test('where there is no add-on endpoint the list is undefined, and usage still tells', async () => {
  const { hosting } = await open({ addons: 'absent' });
  expect(await hosting.listAddons()).toBeUndefined();
  expect((await hosting.getUsage()).addons).toMatchObject([{ id: '9', type: 'backup' }]);
  expect(await faultOf(hosting.addAddon('1', { type: 'llm' }))).toMatchObject({ fault: 'not-found' });
});

test('a 429 that says nothing of the wait leaves it open, and everybody pauses a second', async () => {
  const budget = openBudget();
  const { sandbox, url } = await open({ retryAfter: 'absent', limitHeaders: 'absent' });
  sandbox.failNext({ method: 'POST' }, { answer: 429, done: false });
  const fault = await faultOf(clientOf(url, { budget }).powerInstance('1', 'stop'));
  expect(fault.retryAfterMs).toBeUndefined();
  expect(budget.pauses).toEqual([1_000]);
});

test.each(['0', '-7', 'Fri, 20 Nov 2020 12:00:00 GMT', 'soon', ''])(
  'a 429 with Retry-After "%s" stops everybody for a second at least',
  async (retryAfter) => {
    const budget = openBudget();
    const { url } = await openAnswer(429, '{}', { 'retry-after': retryAfter });
    await faultOf(clientOf(url, { budget }).powerInstance('1', 'stop'));
    expect(budget.pauses).toEqual([1_000]);
  },
);

test.each([
  [503, '120', [120_000]],
  [502, '7', [7_000]],
  [429, '30', [30_000]],
  [422, '30', []],
])(
  'a read that is answered %i with Retry-After "%s" is made once, and nobody calls for as long',
  async (status, retryAfter, pauses) => {
    const budget = openBudget();
    const { url } = await openAnswer(status, '{"error":{"message":"not now"}}', {
      'retry-after': retryAfter,
    });
    await faultOf(clientOf(url, { budget }).listInstances());
    expect(budget.pauses).toEqual(pauses);
    expect(budget.taken).toHaveLength(1);
  },
);

test('the key goes into whichever header and scheme the service wants', async () => {
  const { url } = await open({ auth: { header: 'X-API-Key', scheme: '' } });
  const rightly = clientOf(url, { auth: keyInHeader('X-API-Key', '') });
  expect((await rightly.listInstances()).instances).toHaveLength(5);
  expect(await faultOf(clientOf(url).listInstances())).toMatchObject({ fault: 'unauthorized' });
});
