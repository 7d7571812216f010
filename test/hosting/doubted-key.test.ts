import { expect, test } from 'vitest';
import { afterFault } from '../../src/core/operations/execution.ts';
import { errorOfAnswer } from '../../src/platform/hosting/errors.ts';
import { NOW, operation, timings } from '../operations/operation.ts';
import { faultOf, openBudget, openCompany } from './calling.ts';

const refusal = (status: number) =>
  errorOfAnswer('stopping', { status, headers: {}, body: { error: { code: 'x', message: 'no' } } }, NOW);

test.each([401, 403, 404])('a read that is answered %i once is asked again, and answered', async (status) => {
  const { hosting, sandbox } = await openCompany();
  sandbox.failNext({ method: 'GET' }, { answer: status, done: false }, 1);
  expect((await hosting.listInstances()).instances.length).toBeGreaterThan(0);
});

test('one 404 is no word on what a service offers: a balance, transactions and add-ons are there', async () => {
  const { hosting, sandbox } = await openCompany();
  const onceNotFound = () => sandbox.failNext({ method: 'GET' }, { answer: 404, done: false }, 1);
  onceNotFound();
  expect(await hosting.getBalance()).toBeDefined();
  onceNotFound();
  expect(await hosting.listAddons()).toBeDefined();
  onceNotFound();
  expect((await hosting.listTransactions(1, 10)).transactions).toBeDefined();
});

test('a poll that is answered 404 asks no more: the next one does', async () => {
  const { hosting, sandbox } = await openCompany();
  sandbox.failNext({ method: 'GET' }, { answer: 404, done: false }, 1);
  expect(await hosting.findInstance('101', { priority: 'poll' })).toBeUndefined();
  expect(sandbox.calls).toHaveLength(1);
});

test('a key that is refused once after an outage is asked about once more', async () => {
  const { hosting, sandbox } = await openCompany();
  sandbox.failNext({ method: 'GET' }, { answer: 500, done: false }, 2);
  sandbox.failNext({ method: 'GET' }, { answer: 401, done: false }, 1);
  expect((await hosting.listInstances()).instances.length).toBeGreaterThan(0);
});

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
])('a key is called bad by the second %i, at the start and in the doctor too', async (status, fault) => {
  const { hosting, sandbox } = await openCompany();
  sandbox.failNext({ method: 'GET' }, { answer: status, done: false }, 99);
  expect(await faultOf(hosting.checkKey())).toMatchObject({ fault });
  expect(sandbox.calls).toHaveLength(2);
});

test('a limit that is told with 403 is waited for by everybody, and the read goes on', async () => {
  const budget = openBudget();
  const { hosting, sandbox } = await openCompany({}, { budget });
  sandbox.failNext({ method: 'GET' }, { answer: 403, done: false, retryAfterSeconds: 1 }, 1);
  expect((await hosting.listInstances()).instances.length).toBeGreaterThan(0);
  expect(budget.pauses).toEqual([1_000]);
});

test('a change whose key is refused once is put off, and given up where that is said again', () => {
  const sent = operation({ execution: { state: 'sending', sendId: 's', sends: 1, sentAt: NOW } });
  const once = afterFault(sent, 's', refusal(401), NOW, timings)!;
  expect(once.execution).toMatchObject({ state: 'requested', sends: 0, putOffs: 1 });
  // A deletion is asked for once.
  expect(afterFault({ ...sent, cancelWindowMs: 1 }, 's', refusal(401), NOW, timings)?.outcome).toMatchObject({
    code: 'unauthorized',
  });
  const again = { ...once, execution: { ...once.execution, ...sent.execution, putOffs: 1 } };
  expect(afterFault(again, 's', refusal(401), NOW, timings)?.outcome).toMatchObject({
    result: 'failed',
    code: 'unauthorized',
  });
});
