import { expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { customer } from '../../sandbox/world.ts';
import { startProcess } from '../support/process.ts';
import { IMPATIENCE, play, privateTexts } from '../support/sandbox.ts';

const TRANSACTIONS = /\/billing\/transactions$/;
const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };
/** A page that a test holds is not asked for again. */
const PATIENT = { apiTimeoutMs: 30_000 };
const READING =
  '⏳ Reading your transactions takes a while. The file comes here, or the answer to your command says why not.';

/** A sandbox of a customer with 250 transactions: three pages. */
function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const world = { customers: [customer('harbour', { balanceCredits: 6_000, pastTransactions: 250 })] };
  const timings = { ...PATIENT, ...options.timings };
  return play({ env: FINANCE, hosting: { world }, ...options, timings });
}

/** Freezes the reading of a page. */
function holdPage({ hosting }: Sandbox, page: number): ReturnType<Sandbox['hosting']['hold']> {
  return hosting.hold({ path: TRANSACTIONS, query: `page=${page}&per_page=100` });
}

/** The messages without a file that fin has from the bot, as they are read. */
function remarks({ slack }: Sandbox): string[] {
  return slack
    .person('fin')
    .dms.filter((message) => message.files.length === 0)
    .map((message) => slack.read(message));
}

function filesOf({ slack }: Sandbox): PostedMessage[] {
  return slack.person('fin').dms.filter((message) => message.files.length > 0);
}

async function ask(sandbox: Sandbox, who = 'fin'): Promise<void> {
  await sandbox.slack.person(who).types('#ops', '/billing transactions --csv');
}

it('a long file says at once that it is being read, and in the end how it ended', async () => {
  const sandbox = await open();
  const held = holdPage(sandbox, 2);
  await ask(sandbox);
  await held.arrived;
  await sandbox.slack.until(() => remarks(sandbox).includes(READING));

  // A second one begins nothing.
  await ask(sandbox);
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
  expect(privateTexts(sandbox, 'fin')[0]).toBe(
    "I'm still reading your last file, so I didn't begin another. It comes to our direct messages.",
  );
  expect(sandbox.hosting.countCalls('GET', TRANSACTIONS)).toBe(2);

  held.release();
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 1);
  expect(privateTexts(sandbox, 'fin')[1]).toContain('with 250 rows in our direct messages.\nThe rows add up');
  await sandbox.slack.until(() => remarks(sandbox)[0] === privateTexts(sandbox, 'fin')[1]);
  expect([remarks(sandbox).length, filesOf(sandbox).length]).toEqual([1, 1]);
});

it('another person, and the same one once it is through, may have a file', async () => {
  const sandbox = await open();
  const held = holdPage(sandbox, 2);
  await ask(sandbox);
  await held.arrived;
  await ask(sandbox, 'ana');
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
  expect(privateTexts(sandbox, 'ana')[0]).toContain('I sent you');
  held.release();
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
  await ask(sandbox);
  await sandbox.slack.until(() => filesOf(sandbox).length === 2);
});

it('a file that can not be read to its end says so where it said that it was being read', async () => {
  const sandbox = await open();
  sandbox.hosting.failNext({ path: TRANSACTIONS, query: 'page=2&per_page=100' }, 403, 2);
  await ask(sandbox);
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
  await sandbox.slack.until(() =>
    remarks(sandbox)[0]?.startsWith('I sent no file: reading your transactions failed.'),
  );
  expect([remarks(sandbox).length, filesOf(sandbox).length]).toEqual([1, 0]);
});

it('the file comes though Slack takes no message about it', async () => {
  const sandbox = await open();
  sandbox.slack.failNext('chat.postMessage', { error: 'channel_not_found' });
  await ask(sandbox);
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
  expect(privateTexts(sandbox, 'fin')[0]).toContain('I sent you');
  expect(filesOf(sandbox)).toHaveLength(1);
});

// The process is what ends here.
it('where the process dies the file comes all the same, or the person reads why not', async () => {
  const sandbox = await open({ bot: false });
  const start = async (): Promise<() => Promise<unknown>> => {
    const bot = await startProcess(sandbox, { env: FINANCE, timings: { ...IMPATIENCE, ...PATIENT } });
    return () => bot.end('SIGKILL');
  };
  const kill = await start();
  const held = holdPage(sandbox, 2);
  await ask(sandbox);
  await held.arrived;
  await sandbox.slack.until(() => remarks(sandbox).includes(READING));
  await kill();
  await sandbox.startBot();
  await sandbox.settled();
  await sandbox.slack.until(() => remarks(sandbox)[0]?.startsWith('I sent you'));
  expect([remarks(sandbox).length, filesOf(sandbox).length]).toEqual([1, 1]);

  // A person who may not see the figures any more gets no file, and the request ends before it is read again.
  await sandbox.stopBots();
  const killAgain = await start();
  const heldAgain = holdPage(sandbox, 2);
  await ask(sandbox);
  await heldAgain.arrived;
  await sandbox.slack.until(() => remarks(sandbox).includes(READING));
  await killAgain();
  await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'viewer' });
  await sandbox.settled();
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 1);
  expect(privateTexts(sandbox, 'fin')[1]).toContain('You need the finance role');
  expect([remarks(sandbox)[1], filesOf(sandbox).length]).toEqual([READING, 1]);
}, 60_000);
