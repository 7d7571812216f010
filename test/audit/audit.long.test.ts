import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';
import { runCommand, runScript } from '../support/command.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { answerTo, play, powerCalls, privateMessage, privateTexts, runToEnd } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';

function open(options: SandboxOptions = {}): Promise<Sandbox> {
  return play({ ...options, env: { LAMPLIGHTER_EVERYONE: 'operator', ...options.env } });
}

/** The audit's rows, oldest first, as they stand in Redis. */
async function rows(sandbox: Sandbox): Promise<Record<string, unknown>[]> {
  const entries = await connectTo(sandbox).xrange(auditKeys.entries, '-', '+');
  return entries.map(([, fields]) => JSON.parse(fields[fields.indexOf('e') + 1]!));
}

describe('the audit', () => {
  it('has an entry for each attempt, with who, where, the words, the ids, the rule, the answer and the end', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'ana', '/instances restart web-1 --because "new config"');
    await answerTo(sandbox, 'bob', '/instances stop web-1 --dry-run');
    await answerTo(sandbox, 'bob', '/instances stop nothing-1');
    await answerTo(sandbox, 'bob', '/billing');
    await answerTo(sandbox, 'bob', '/instances');
    const about = { channelId: 'C0OPS000001', target: { id: '101', name: 'web-1' } };
    expect(await rows(sandbox)).toEqual([
      expect.objectContaining({
        what: 'asked',
        by: 'U0ANA000001',
        route: 'instances.restart',
        words: 'web-1 --because "new config"',
        rule: 'operator, as every full member',
        ...about,
      }),
      expect.objectContaining({ what: 'ended', result: 'done', by: 'U0ANA000001', ...about }),
      expect.objectContaining({ what: 'dry run', by: 'U0BOB000001', words: 'web-1 --dry-run', ...about }),
      expect.objectContaining({ what: 'refused', result: 'no-such-name', words: 'nothing-1' }),
      expect.objectContaining({ what: 'refused', result: 'no-right', route: 'billing.balance' }),
    ]);
  });

  it('keeps what is set, what was shown to be confirmed, and what was confirmed too late', async () => {
    const sandbox = await open({
      env: { LAMPLIGHTER_EVERYONE: 'admin', LAMPLIGHTER_PROTECTED: 'web-1' },
      timings: { confirmWithinMs: 200 },
    });
    await answerTo(sandbox, 'ana', '/billing alerts off');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const question = await privateMessage(sandbox, 'ana', 'Restart web-1');
    // A confirmation counts for a while by Redis' clock, which a test can't turn.
    await new Promise((done) => setTimeout(done, 300));
    await sandbox.slack.person('ana').presses(question, 'Restart');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').join().includes('has expired'));
    await sandbox.settled();
    const kept = (await rows(sandbox)).map(({ what, route }) => `${String(what)} ${String(route)}`);
    expect(kept).toEqual(['set billing.alerts', 'shown instances.restart', 'expired instances.restart']);
  });

  it('is whole after everything, and says where it was touched', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    await runToEnd(sandbox, 'bob', '/instances stop web-2');
    const redis = connectTo(sandbox);
    expect(await verifyAudit(redis)).toMatchObject({ count: 4, fault: undefined });
    const [, second] = await redis.xrange(auditKeys.entries, '-', '+');
    await redis.xdel(auditKeys.entries, second![0]);
    expect((await verifyAudit(redis)).fault).toMatchObject({ seq: 2, what: 'missing' });
  });

  it('lets nothing be done that it can not record', async () => {
    const sandbox = await open();
    const redis = connectTo(sandbox);
    // What the entries are written to is no stream any more.
    await redis.set(auditKeys.entries, 'taken');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => sandbox.logs.some((line) => line.includes('WRONGTYPE')));
    expect(powerCalls(sandbox)).toBe(0);
    await redis.del(auditKeys.entries);
  });
});

describe('/lamplighter audit', () => {
  it('shows an admin who attempted what and how it went, by person, instance and time, and as a file', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    await answerTo(sandbox, 'bob', '/instances stop nothing-1');
    const all = await answerTo(sandbox, 'admin', '/lamplighter audit');
    expect(all).toContain('2 attempts in the last 7 days, newest first:');
    expect(all).toMatch(/@ana · restart web-1 \(101\): done · operator, as every full member · Request /);
    expect(all).toMatch(/@bob · stop nothing-1: refused: there is no such instance · Request /);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit @ana web-1 --last 1h')).toContain(
      'One attempt in the last hour:',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit db-1')).toContain(
      'I found nothing about "db-1" in the last 7 days.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit --csv')).toMatch(
      /I sent you audit-[\d-]+\.csv with 3 entries/,
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit --last soon')).toContain(
      'I don\'t understand the time "soon"',
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter audit')).toContain('You need the admin role');
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('takes each word as what it is, and says which of them it knows nothing about', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'ana', '/instances restart web-1 --because "new config"');
    await answerTo(sandbox, 'bob', '/instances stop nothing-1');
    const audit = (words: string): Promise<string> =>
      answerTo(sandbox, 'admin', `/lamplighter audit ${words}`);
    const all = await audit('today');
    expect(all).toMatch(/^2 attempts today, [A-Z][a-z]{2} \d+, newest first:/);
    expect(all).toContain('restart web-1 (101): done · because "new config"');
    expect(await answerTo(sandbox, 'ana', '/instances history web-1')).toContain('because "new config"');
    const requestId = /done .*Request (\S{8})/.exec(all)?.[1] ?? '';
    for (const words of ['refused', 'stop', '@bob today', 'Refused stop']) {
      expect(await audit(words), words).toContain('One attempt');
      expect(await audit(words), words).toContain('stop nothing-1');
    }
    for (const words of [requestId, 'done', 'restart done', 'web-1 --last 2d'])
      expect(await audit(words), words).toContain('restart web-1 (101): done');
    expect(await audit('failed')).toContain('I found no such attempts in the last 7 days.');
    expect(await audit('yesterday')).toMatch(/^I found no such attempts yesterday, [A-Z][a-z]{2} \d+\./);
    expect(await audit('stop last 6 hours')).toMatch(/^One attempt in the last 6 hours:/);
    for (const word of ['ana', 'october', 'AAAAAAAA', '-AAAAAAA'])
      expect(await audit(word), word).toContain(`I found nothing about "${word}" in the last 7 days.`);
    const part = await audit('web-1 ana');
    expect(part).toContain('One attempt in the last 7 days:');
    expect(part).toContain('I found nothing about "ana"');
    expect(await audit('today --last 3d')).toContain('Give me one time');
  });

  it('says of what was answered with a question that nothing was done, and not that it was refused', async () => {
    const sandbox = await open();
    for (const line of [
      '/lamplighter freeze for 1h',
      '/lamplighter freeze release day',
      '/lamplighter access grant operator bob',
      '/instances restart',
    ])
      await answerTo(sandbox, 'admin', line);
    const audit = (words: string): Promise<string> =>
      answerTo(sandbox, 'admin', `/lamplighter audit ${words}`);
    const all = await audit('today');
    const missing = 'not done: it asked back for what was missing';
    expect(all).toContain(`freeze for 1h: ${missing}`);
    expect(all).toContain('freeze release day: not done: it asked back what was meant');
    expect(all).toContain(`access grant operator bob: ${missing}`);
    expect(all).toContain(`restart: ${missing}`);
    expect(await audit('refused')).toContain('I found no such attempts');
  });

  it('finds by a noun all that stands under it, whatever it is called inside', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    await answerTo(sandbox, 'ana', '/instances schedule web-1 stop at 20:00');
    await answerTo(sandbox, 'ana', '/lamplighter access grant viewer @bob');
    const of = (word: string): Promise<string> => answerTo(sandbox, 'admin', `/lamplighter audit ${word}`);
    expect(await of('instances')).toMatch(/One attempt [^]*schedule/);
    expect(await of('lamplighter')).toMatch(/One attempt [^]*access/);
    expect(await of('billing')).toContain('nothing about "billing"');
  });
});

it('npm run audit:verify exits with 0 where the audit is whole, else with 1 and the first wrong place', async () => {
  const sandbox = await open();
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(await runCommand('verify-audit', [], { REDIS_URL: sandbox.redisUrl })).toEqual({
    code: 0,
    said: expect.stringMatching(/^The audit is intact: 2 entries, the newest is number 2 with hash \S+\.\n$/),
  });
  const redis = connectTo(sandbox);
  const [first] = await redis.xrange(auditKeys.entries, '-', '+');
  await redis.xdel(auditKeys.entries, first![0]);
  expect(await runCommand('verify-audit', [], { REDIS_URL: sandbox.redisUrl })).toEqual({
    code: 1,
    said: expect.stringMatching(/^The audit was changed: entry number 1, at \S+, is missing\./),
  });
});

it('npm run audit:verify says which Redis it tried, without its password, and how it is used', async () => {
  expect(await runCommand('verify-audit', [], { REDIS_URL: 'redis://:geheim@127.0.0.1:1/2' })).toEqual({
    code: 2,
    said: "audit:verify: Redis at redis://127.0.0.1:1/2 can't be read. Start it, or set REDIS_URL to the Redis of the bot.\n",
  });
  expect(await runScript('audit:verify', ['--help'])).toEqual({
    code: 0,
    said: expect.stringMatching(/^Usage:\n {2}REDIS_URL=/),
  });
});
