import { expect, it } from 'vitest';
import { startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { readAll } from '../support/sandbox.ts';
import { playTwoAccounts, powerCallsTo, type TwoAccounts } from './two-accounts.ts';

/** A card and its answer for each account, and one call to each. */
function expectEachOnce(two: TwoAccounts): void {
  const texts = readAll(two.sandbox);
  for (const name of ['acme', 'labs']) {
    const own = texts.filter((text) => text.startsWith(`\`${name}\`\n`));
    expect(own).toHaveLength(2);
    expect(own.filter((text) => /✅|❔/.test(text))).toHaveLength(1);
    expect(own.filter((text) => text.includes('@ana Restarted'))).toHaveLength(1);
  }
  expect(texts).toHaveLength(4);
  expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 1 });
}

const asks = async ({ sandbox: { slack } }: TwoAccounts): Promise<void> => {
  for (const name of ['acme', 'labs'])
    await slack.person('ana').types('#ops', `/instances restart ${name}:web-1`);
};

it('killed in the middle of a restart in each account, each is asked once and reported once by the next process', async () => {
  // It goes on until the next process has seen it, however long that takes to start.
  const two = await playTwoAccounts(undefined, { bot: false, hosting: { powerMs: 600_000 } });
  const services = [two.acme, two.labs];
  const reads = (): readonly number[] => services.map((each) => each.countCalls('GET', /instances/));
  const first = await startProcess(two.sandbox);
  await asks(two);
  await two.sandbox.slack.until(
    () => readAll(two.sandbox).filter((text) => text.includes('It reports restarting')).length === 2,
  );
  await first.end('SIGKILL');
  const before = reads();
  await startProcess(two.sandbox);
  await until(() => reads().every((count, at) => count > (before[at] ?? 0) + 1));
  for (const each of services) {
    each.changeStatus(101, 'running');
    each.changeHealth(101, 'healthy');
  }
  await two.sandbox.settled();
  expectEachOnce(two);
});

it('killed right after both were acknowledged, the next process does each once at its own account', async () => {
  const two = await playTwoAccounts(undefined, { bot: false });
  const first = await startProcess(two.sandbox);
  const held = [two.acme, two.labs].map((hosting) => hosting.hold({ method: 'GET' }));
  await asks(two);
  await first.end('SIGKILL');
  for (const one of held) one.drop();
  await startProcess(two.sandbox);
  await two.sandbox.settled();
  expectEachOnce(two);
});

it('what one process takes in, another carries out, at the account that it was asked of', async () => {
  const two = await playTwoAccounts(undefined, { bot: false });
  await two.sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  await two.sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
  await asks(two);
  await two.sandbox.settled();
  expectEachOnce(two);
});
