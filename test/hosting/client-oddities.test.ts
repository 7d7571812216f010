import { expect, test } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { errorOfAnswer, errorOfFailure } from '../../src/platform/hosting/errors.ts';
import { createRequester } from '../../src/platform/hosting/request.ts';
import { clientOf, faultOf, openAnswer, openBudget, openCompany, openServer } from './calling.ts';

const world = worldOf([instance(1, 'web-1'), instance(2, 'web-2', { status: 'stopped' })]);
const record = (id: number) => ({ id, name: `web-${id}`, status: 'running' });

// `errors: [{code, message}]` is one of the envelopes of any error, not details.
test('a 422 for the wrong state, written as a list of errors, is a wrong state', async () => {
  const { hosting } = await openCompany({ world, variant: { errors: 'list' } });
  expect(await faultOf(hosting.powerInstance('2', 'stop'))).toMatchObject({ fault: 'wrong-state' });
});

// takes the page it is on from meta.page or meta.current_page only, else for page 1.
test.each([
  ['that tells only the last one', (_page: number) => ({ meta: { total_pages: 4 } })],
  [
    'told under meta.pagination',
    (page: number) => ({ meta: { pagination: { current_page: page, last_page: 4 } } }),
  ],
])('a list in four pages %s is read whole, or said to be cut', async (_name, envelope) => {
  const { url } = await openServer((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
    response.end(JSON.stringify({ data: [record(page)], ...envelope(page) }));
  });
  const { instances, incomplete } = await clientOf(url).listInstances();
  expect([instances.map((one) => one.id), incomplete]).toEqual([['1', '2', '3', '4'], undefined]);
});

// an incomplete list must say so (a proxy that ends TLS writes http:// links).
test('a list whose next page may not be followed says that it is cut', async () => {
  const { hosting } = await openCompany({
    world,
    variant: { paging: { style: 'links.next', size: 1, mischief: 'elsewhere' } },
  });
  expect(await hosting.listInstances()).toMatchObject({ incomplete: { read: 1, isCertain: true } });
});

// z.number() takes what JSON.parse has rounded: 9007199254740993 becomes …992.
test('an integer id too large to be exact is refused rather than rounded to another id', async () => {
  const { url } = await openAnswer(200, '{"data":[{"id":9007199254740993,"name":"a","status":"running"}]}');
  const list = await clientOf(url)
    .listInstances()
    .catch(() => undefined);
  expect(list?.instances.map((one) => one.id) ?? []).not.toContain('9007199254740992');
});

// reads `status` only, where instanceFrom takes state and power_status too.
test.each(['state', 'power_status'] as const)('the answer to a power action tells its %s', async (field) => {
  const { hosting } = await openCompany({ world, variant: { statusField: field } });
  expect(await hosting.powerInstance('1', 'stop')).toEqual({ status: 'stopping' });
});

// a reset on a read is neither repeated by us nor by undici.
test('a read whose connection is reset is repeated', async () => {
  const { hosting, sandbox } = await openCompany({ world });
  sandbox.failNext({ method: 'GET' }, { answer: 'reset', done: false }, 1);
  expect((await hosting.listInstances()).instances).toHaveLength(2);
});

// the budget's "no turn within 20 s" is waited for and asked again, twice.
test('a read that gets no turn within its patience is given up, not waited for all the same', async () => {
  let asked = 0;
  const requester = createRequester({
    origin: 'http://127.0.0.1:1',
    authHeader: 'Authorization',
    authValue: 'Bearer key',
    timeoutMs: 1_000,
    redact: (text) => text,
    budget: {
      ...openBudget(),
      take: async (_kind, doing) => {
        asked += 1;
        throw new HostingError(doing, {
          fault: 'rate-limited',
          outcome: 'not-done',
          retryable: true,
          retryAfterMs: 5,
        });
      },
    },
  });
  await faultOf(requester.read({ doing: 'reading', method: 'GET', path: '/' }));
  await requester.close();
  expect(asked).toBe(1);
});

// remembers an answer although it was told to forget while that was under way.
test('a list that was under way during a write is not remembered as fresh', async () => {
  const { hosting, sandbox } = await openCompany({ world });
  const held = sandbox.hold({ method: 'GET', path: '/api/v1/instances' }, 'after');
  const early = hosting.listInstances();
  await held.arrived;
  await hosting.powerInstance('1', 'stop');
  held.release();
  await early;
  const { instances } = await hosting.listInstances({ freshMs: 60_000 });
  expect(instances[0]?.status).toBe('stopping');
});

// promised in src/errors.ts ("cut and on one line").
test('what the service says comes on one line', () => {
  const body = { error: { message: 'first\nsecond\r\nthird' } };
  expect(errorOfAnswer('stopping', { status: 400, headers: {}, body }, 0).said).toBe('first second third');
});

// on Linux a sent request whose route dies ends in EHOSTUNREACH too, from `read`.
test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
  '%s from anything but connecting leaves it open whether it was done',
  (code) => {
    const cause = Object.assign(new Error(code), { code, syscall: 'read' });
    expect(errorOfFailure('restarting', cause)).toMatchObject({ fault: 'lost', outcome: 'unknown' });
  },
);
