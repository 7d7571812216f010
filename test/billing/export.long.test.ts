import { describe, expect, it, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type PostedMessage, SCOPES } from '../../sandbox/slack/index.ts';
import { newId } from '../../src/platform/id.ts';
import { createExport } from '../../src/features/billing/transactions/export.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { startProcess } from '../support/process.ts';
import { answerTo, IMPATIENCE, play, privateTexts, readAll } from '../support/sandbox.ts';
import { countingIn } from './counting-in.ts';
import { parseCsv } from './rfc4180.ts';

const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };
const DAY = new Date().toISOString().slice(0, 10);

/** What fin reads after typing this. */
const asked = (sandbox: Sandbox, words: string): Promise<string> =>
  answerTo(sandbox, 'fin', `/billing transactions ${words}`);

/** The files that fin got. */
function filesOf({ slack }: Sandbox): PostedMessage[] {
  return slack.person('fin').dms.filter(({ files }) => files.length > 0);
}

function rowsIn(message: PostedMessage | undefined): Record<string, string>[] {
  const [head = [], ...rows] = parseCsv(message?.files[0]?.bytes.toString('utf8') ?? '');
  expect(rows.every((row) => row.length === head.length)).toBe(true);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index] ?? '', cell])));
}

test('a fourth file at a time is not begun, nor a second one of a person, and is once there is room again', async () => {
  const nothing = undefined as never; // no file gets that far
  let fail = (): void => undefined;
  const opening = new Promise<string>((_opened, failed) => {
    fail = () => failed(new SlackError('unreachable', { outcome: 'unknown' }));
  });
  const send = createExport({
    hosting: nothing,
    uploads: nothing,
    messenger: { directChannel: () => opening },
    outbox: nothing,
    unit: 'credits',
    clock: nothing,
  });
  const ask = (userId: string): Promise<unknown> =>
    send({ id: newId(), actor: { userId } }, { wanted: {}, words: [] });
  const three = ['U0FIN000001', 'U0ANA000001', 'U0BOB000001'].map(ask);
  await expect(ask('U0EVE000001')).rejects.toMatchObject({ code: 'export-busy' });
  await expect(ask('U0BOB000001')).rejects.toMatchObject({ code: 'export-under-way' });
  fail();
  const ended = await Promise.allSettled(three);
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
  await expect(ask('U0BOB000001')).rejects.toMatchObject({ code: 'no-file' });
});

describe('/billing transactions --csv', () => {
  it('sends every transaction as a file to the person alone, and says whether it adds up', async () => {
    const sandbox = await play({ env: FINANCE, adapter: countingIn('claws') });
    const said = await asked(sandbox, '--csv');
    expect(said).toMatch(
      new RegExp(`^I sent you transactions-${DAY}\\.csv with \\d{3} rows in our direct messages\\.\\n`),
    );
    expect(said).toMatch(/The rows add up: 0 before, [\d,]+ added, [\d,]+ used, 6,300 after\.$/);
    const files = (): PostedMessage[] => filesOf(sandbox);
    const [message, ...others] = files();
    expect(others).toEqual([]);
    expect(message?.files.map(({ name }) => name)).toEqual([`transactions-${DAY}.csv`]);
    const rows = rowsIn(message);
    expect(said).toContain(` ${rows.length} rows`);
    expect(rows[0]).toMatchObject({ balance_after: '6300', unit: 'claws' });
    expect(rows.find((row) => row['description'] === 'Daily charge: web-1 (balanced)')).toMatchObject({
      type: 'daily_charge',
      amount: '-105',
      instance_id: '101',
      instance_name: 'web-1',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
    });
    // The world's worst name, which is nothing to a spreadsheet.
    expect(rows.some((row) => row['instance_name'] === '<!channel> *x* <http://evil|Pay>')).toBe(true);
    expect(readAll(sandbox)).toEqual([]);
    // The URL is the right to write, and nothing to be read in a log.
    expect(sandbox.logs.join('')).not.toContain('/upload/');

    const filtered = await asked(sandbox, '--csv --type purchase --last 10d --instance web-1');
    expect(filtered).toBe('There are no such transactions, so I sent no file.');
    const purchases = await asked(sandbox, '--type purchase --last 10d --csv');
    expect(purchases).toContain('with 1 row in our direct messages.');
    expect(purchases).toContain('Only those of the last 10d, of type "purchase" are in it.');
    expect(rowsIn(files()[1]).map((row) => row['amount'])).toEqual(['5000']);
  });

  it('says what went wrong with Slack, what that means and what now', async () => {
    const sandbox = await play({ env: FINANCE });
    const { slack } = sandbox;
    slack.loseAnswerOfNext('files.completeUploadExternal');
    expect(await asked(sandbox, '--csv --last 2d')).toBe(
      `I don't know whether transactions-${DAY}.csv arrived: Slack has it, but its answer got lost. Look into our direct messages, and ask again if it isn't there.`,
    );
    expect(slack.person('fin').dms).toHaveLength(1);

    const later = "I sent no file: Slack doesn't take it right now. Try again in a minute.";
    slack.failNext('upload', { status: 503 });
    expect(await asked(sandbox, '--csv --last 2d')).toBe(later);
    slack.loseAnswerOfNext('upload');
    expect(await asked(sandbox, '--csv --last 2d')).toBe(later);
    slack.rateLimitNext('files.getUploadURLExternal', { retryAfter: 30 });
    expect(await asked(sandbox, '--csv --last 2d')).toBe(later);
    slack.failNext('conversations.open', { error: 'user_disabled' });
    expect(await asked(sandbox, '--csv --last 2d')).toContain(
      'I sent no file: Slack refused it (user_disabled).',
    );
    slack.failNext('files.completeUploadExternal', { error: 'channel_not_found' });
    expect(await asked(sandbox, '--csv --last 2d')).toContain('Slack refused it (channel_not_found).');
    expect(slack.person('fin').dms).toHaveLength(1);
  });

  it('says that the scope is missing, and who can mend that', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'files:write');
    const sandbox = await play({ env: FINANCE, slack: { scopes }, isRefused: true });
    expect(await asked(sandbox, '--csv --last 2d')).toBe(
      "I sent no file: this Slack doesn't let me, because the app lacks the scope files:write. The person who runs the bot must add it and install the app again; then ask again.",
    );
    expect(sandbox.slack.person('fin').dms).toEqual([]);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit --csv')).toContain('the scope files:write.');
  });

  it('comes twice where a process dies right after sending it', async () => {
    // However late the other takes it up: nobody can say then that nothing was done.
    const sandbox = await play({ bot: false, timings: { acceptWithinMs: 1 } });
    const { slack } = sandbox;
    const bot = await startProcess(sandbox, { env: FINANCE, timings: IMPATIENCE });
    const held = slack.hold('files.completeUploadExternal', { when: 'after' });
    await slack.person('fin').mentions('#ops', 'transactions --csv --last 2d');
    await held.arrived;
    expect(await bot.end('SIGKILL')).toBeNull();
    expect(privateTexts(sandbox, 'fin')).toEqual([]);
    await sandbox.startBot(FINANCE);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'fin')).toHaveLength(1);
    expect(privateTexts(sandbox, 'fin')[0]).toContain('I sent you transactions-');
    expect(slack.person('fin').dms).toHaveLength(2);
  });
});
