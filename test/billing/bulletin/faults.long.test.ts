import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { answerTo, readNews } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { BULLETINS, open, type Row } from './bulletins.ts';

const TRANSACTIONS = /\/billing\/transactions$/;
const HOURS_MS = 3_600_000;

/** The first message in #ops, once it is there. */
async function first(sandbox: Sandbox): Promise<string> {
  await sandbox.slack.until(() => readNews(sandbox).length > 0, { timeoutMs: 60_000 });
  return readNews(sandbox)[0] ?? '';
}

describe.each(BULLETINS)('a $called', ({ called, whose, line, words, ...of }: Row) => {
  /** Sets one, and lets its time come. */
  const isDue = async (sandbox: Sandbox, triedForMs = 0): Promise<void> => {
    await answerTo(sandbox, 'fin', `${line} ${words}`);
    await of.isDue(sandbox, triedForMs);
  };
  const notMade = `${whose} ${called} couldn't be made:`;

  it('of a service without transactions is said to come to nothing at once', async () => {
    const sandbox = await open({ customer: 'no-billing' });
    await isDue(sandbox);
    expect(await first(sandbox)).toContain(
      `${notMade} the hosting service doesn't offer a list of transactions. The next one comes `,
    );
  });

  it('that fails again and again is said once, with the reason and the next date, and not tried without end', async () => {
    const sandbox = await open();
    of.breaks(sandbox);
    await isDue(sandbox);
    const said = await first(sandbox);
    expect(said).toContain(`${notMade} ${of.why}, 5 times in a row. The next one comes `);
    expect(await answerTo(sandbox, 'fin', line)).toMatch(/next [A-Z][a-z]{2} \d/);
    of.mends(sandbox);
    await of.isDue(sandbox);
    await sandbox.slack.until(() => readNews(sandbox).length > 1);
    expect(readNews(sandbox)).toEqual([said, expect.stringMatching(of.tells)]);
  });

  it('waits until what the service has charged is read, and is whole then', async () => {
    const sandbox = await open({ bot: false });
    const mend = sandbox.hosting.failNext({ path: TRANSACTIONS }, 503, 1_000);
    await sandbox.startBot();
    await isDue(sandbox);
    await until(async () =>
      (await answerTo(sandbox, 'fin', line)).includes("I'm still reading what the service has charged"),
    );
    expect(readNews(sandbox)).toEqual([]);
    mend();
    expect(await first(sandbox)).toMatch(of.tells);
  });

  it('that has waited for two hours says what it knows, and what it does not', async () => {
    const sandbox = await open({ bot: false });
    sandbox.hosting.failNext({ path: TRANSACTIONS }, 503, 1_000);
    await sandbox.startBot();
    await isDue(sandbox, 2 * HOURS_MS);
    const text = await first(sandbox);
    for (const unknown of of.unknown) expect(text).toMatch(unknown);
    expect(text).toMatch(/No figures for .+: they are in no sum\./);
    expect(await answerTo(sandbox, 'fin', line)).not.toContain('being made');
  });
});
