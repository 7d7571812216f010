import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { dmWith, messageWith } from '../support/asking.ts';
import { setDays, watch as balance } from '../billing/watching.ts';
import { findCard, setWatch } from '../watches/watching.ts';
import {
  answeredWith,
  answerTo,
  play,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';

function open(options: SandboxOptions = {}): Promise<Sandbox> {
  return play({ ...options, env: { LAMPLIGHTER_EVERYONE: 'operator', ...options.env } });
}

/** The lines of a story, without their times and references. */
function told(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('• '))
    .map((line) => line.replace(/^• .*?\d{1,2}:\d\d(?: [AP]M| UTC)? · /u, '').replace(/ · `\S{8}`$/, ''));
}

describe('/lamplighter story', () => {
  it('tells who asked, approved and did what, why, and how it ended, in its order', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_APPROVE: 'db-*' } });
    await runToEnd(sandbox, 'ana', '/instances restart web-1 --because "new config"');
    await runToEnd(sandbox, 'bob', '/instances stop web-2');
    await answerTo(sandbox, 'ana', '/instances restart db-1 --because "it is slow"');
    const question = await messageWith(sandbox, 'asks to restart');
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted db-1')));
    await sandbox.settled();
    const story = await answerTo(sandbox, 'ana', '/lamplighter story');
    expect(story).toMatch(/^What happened in the last 24 hours:/);
    expect(told(story)).toEqual([
      expect.stringMatching(
        /^✅ @ana asked to restart web-1 \(101\): done, after \d+ s · because "new config"$/,
      ),
      expect.stringMatching(/^✅ @bob asked to stop web-2 \(102\): done, after \d+ s$/),
      '🔐 @ana asked to restart db-1 (105), which someone else must approve · because "it is slow"',
      '🔐 @bob approved: restart db-1 (105)',
      expect.stringMatching(
        /^✅ @ana asked to restart db-1 \(105\): done, after \d+ s · because "it is slow"$/,
      ),
    ]);
    expect(
      told(await answerTo(sandbox, 'bob', '/lamplighter story name:web-* since yesterday')),
    ).toHaveLength(2);
    expect(told(await answerTo(sandbox, 'bob', '/lamplighter story @bob --last 6h'))).toHaveLength(3);
    expect(told(await answerTo(sandbox, 'bob', '/lamplighter story web-2 last 6 hours'))).toHaveLength(1);
    expect(await answerTo(sandbox, 'bob', '/lamplighter story nothing-1')).toMatch(
      /^I have no record of "nothing-1" that you may see in the last 30 days\./,
    );
    expect(await answerTo(sandbox, 'bob', '/lamplighter story @bob')).toMatch(
      /^What @bob did in the last 30 days:/,
    );
    expect(await answerTo(sandbox, 'bob', '/lamplighter story @fin')).toBe(
      'I have no record of anything by @fin that you may see in the last 30 days.',
    );
    expect(await answerTo(sandbox, 'bob', '/lamplighter story web-2 @ana')).toMatch(
      /^I have no record of "web-2" by @ana that you may see in the last 30 days\./,
    );
    const slip = await answeredWith(sandbox, 'bob', '/lamplighter story web-11 --last 6h');
    await sandbox.slack.person('bob').presses(slip, 'Story web-1 --last 6h');
    await privateMessage(sandbox, 'bob', 'What happened to web-1 (101) in the last 6 hours');
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit web-11')).toContain('[ Audit web-1 ]');
    const unread = await answerTo(sandbox, 'bob', '/lamplighter story web-1 since 25:00');
    expect(unread).toMatch(/: I don't understand the time "since 25:00"\. Say since 23:00, since 9 am/);
    expect(unread).toContain('[ Story web-1 since yesterday ]');
    expect(await answerTo(sandbox, 'bob', '/lamplighter story web-1 --last 99999d')).toMatch(
      /^What happened to web-1 \(101\) in the last 400 days, the longest that the audit is kept:/,
    );
  });

  it('leads from a reference to its card, is shared with the channel, and is sent whole as a file', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    await runToEnd(sandbox, 'ana', '/instances restart web-2');
    const [, ref = ''] = /Request (\S{8})/.exec(readAll(sandbox)[0] ?? '') ?? [];
    const story = await answeredWith(sandbox, 'bob', `/lamplighter story ${ref}`);
    expect(slack.read(story)).toMatch(
      /^What happened to web-1 \(101\) in the last 30 days\. See its card .*\n• .* · ✅ @ana asked to restart web-1 \(101\): done, after \d+ s · `\S{8}`$/m,
    );
    // Typed by itself it leads there, too.
    for (const line of [ref, `Request ${ref}`, `/instances ${ref}`, `/lamplighter ${ref}`])
      expect(
        told(await answerTo(sandbox, 'bob', line.startsWith('/') ? line : `@lamplighter ${line}`)),
        line,
      ).toEqual(told(slack.read(story)));
    // One that looks like the id of a person, as far as it is shown.
    const redis = connectTo(sandbox);
    for (const [, fields] of await redis.xrange(auditKeys.entries, '-', '+', 'COUNT', 2))
      await redis.xadd(auditKeys.entries, '*', ...fields.map((text) => text.replaceAll(ref, 'U5X9KQ2B')));
    for (const line of ['U5X9KQ2B', '/lamplighter story U5X9KQ2B'])
      expect(
        await answerTo(sandbox, 'bob', line.startsWith('/') ? line : `@lamplighter ${line}`),
        line,
      ).toMatch(/restart web-1 \(101\)/);
    expect(await answerTo(sandbox, 'bob', '/lamplighter story WEB')).toContain('no record of "WEB"');
    await slack.person('bob').presses(story, 'Share');
    const shared = await messageWith(sandbox, 'Shared by @bob');
    expect(slack.read(shared)).toMatch(
      /^What happened to web-1 \(101\) between .*\n.*@ana asked to restart web-1 \(101\): done/,
    );
    // It calls nobody.
    expect(JSON.stringify(shared.content)).not.toContain('U0ANA000001');
    await slack.person('bob').presses(story, 'Send as a file');
    const file = await slack.until(() => slack.person('bob').dms.flatMap(({ files }) => files)[0]);
    expect(file.bytes.toString()).toMatch(
      /^20\S+Z #1 #2 ✅ @ana asked to restart web-1 \(101\): done, after \d+ s · Reference \S{22}\n$/,
    );
  });

  it('leaves out what is too much for a file, and says so there and in the answer', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const redis = connectTo(sandbox);
    await redis.eval(
      `local _, e = unpack(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 2)[2])
      for n = 1, 20000 do redis.call('XADD', KEYS[1], '*', unpack(e)) end`,
      1,
      auditKeys.entries,
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter story --file')).toMatch(
      /lines, in our direct messages\. These are the newest; there are more\. Ask for less with --last\.$/,
    );
    const file = await sandbox.slack.until(
      () => sandbox.slack.person('ana').dms.flatMap(({ files }) => files)[0],
    );
    expect(file.bytes.toString()).toMatch(/\nThere are earlier entries that this file leaves out\. .*\n$/);
  });

  it('tells who shared it where Slack takes it from nobody', async () => {
    const sandbox = await play({ isRefused: true, env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    const { slack } = sandbox;
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const story = await answeredWith(sandbox, 'ana', '/lamplighter story');
    slack.failNext(
      ({ method, args }) => method === 'chat.postMessage' && String(args['text']).includes('Shared by'),
      { error: 'restricted_action' },
    );
    await slack.person('ana').presses(story, 'Share');
    const said = await dmWith(sandbox, 'ana', "I couldn't post the story");
    expect(slack.read(said)).toContain('that you shared in #ops, so nobody reads it there.');
  });

  it('tells nobody of what they may not see, and shows a channel only what it reads anyway', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    await runToEnd(sandbox, 'admin', '/lamplighter access grant viewer @fin on web-*');
    await runToEnd(sandbox, 'admin', '/instances restart web-1');
    await runToEnd(sandbox, 'admin', '/instances restart db-1');
    const grants = /@admin: access grant viewer @fin on web-\*/;
    const all = await answeredWith(sandbox, 'admin', '/lamplighter story');
    expect(told(slack.read(all))).toEqual([
      expect.stringMatching(grants),
      expect.stringContaining('restart web-1'),
      expect.stringContaining('restart db-1'),
    ]);
    expect(told(await answerTo(sandbox, 'fin', '/lamplighter story'))).toEqual([
      expect.stringContaining('restart web-1'),
    ]);
    expect(await answerTo(sandbox, 'fin', '/lamplighter story db-1')).toMatch(
      /^I have no record of "db-1" that you may see/,
    );
    expect(await answerTo(sandbox, 'bob', '/lamplighter story')).toContain('You need the viewer role');
    await slack.person('admin').presses(all, 'Share');
    const shared = await slack.until(() =>
      readAll(sandbox).find((text) => text.includes('Shared by @admin')),
    );
    expect(shared).not.toMatch(grants);
    expect(shared).toContain('restart db-1');
    await slack.until(() =>
      privateTexts(sandbox, 'admin').some((text) => /Shared .* without 1 entry/.test(text)),
    );
  });

  it('shows a channel nothing of elsewhere, where its reader may not choose that', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await slack.person('bob').types('#billing', '/instances restart web-1');
    await slack.until(() => readAll(sandbox, '#billing').some((text) => text.includes('✅ Restarted web-1')));
    const nothing = await answeredWith(sandbox, 'ana', '/lamplighter story');
    await slack.person('ana').presses(nothing, 'Share');
    const kept = await privateMessage(sandbox, 'ana', 'Nothing was shared.');
    expect(slack.read(kept)).toMatch(
      /restart web-1[^]*Nothing was shared\. This channel doesn't hear of instances/,
    );
    await runToEnd(sandbox, 'bob', '/instances restart web-2');
    const both = await answeredWith(sandbox, 'ana', '/lamplighter story');
    await slack.person('ana').presses(both, 'Share');
    const shared = await slack.until(() => readAll(sandbox).find((text) => text.includes('Shared by @ana')));
    expect(shared).toContain('restart web-2');
    expect(shared).not.toContain('web-1');
    await sandbox.settled();
    expect(readAll(sandbox).filter((text) => text.includes('Shared by'))).toHaveLength(1);
  });

  it('tells what a watch and an alert saw, who was on it and that it was over', async () => {
    const sandbox = await balance({ env: { LAMPLIGHTER_EVERYONE: 'operator', BILLING_CRITICAL: '2d' } });
    const { hosting, slack } = sandbox;
    await setWatch(sandbox, 'name:web-*');
    hosting.changeStatus(101, 'error');
    const incident = await findCard(sandbox, 'reports an error');
    await slack.person('ana').presses(incident, "I'm on it");
    await slack.until(() => readAll(sandbox).some((text) => text.includes('@ana is on it')));
    hosting.changeStatus(101, 'running');
    await findCard(sandbox, 'is running again');
    setDays(sandbox, 1);
    const alert = await findCard(sandbox, 'balance is critical');
    await slack.person('bob').presses(alert, "I'm on it");
    await slack.until(() => readAll(sandbox).some((text) => text.includes('@bob is on it')));
    setDays(sandbox, 40);
    await findCard(sandbox, 'it rose by');
    await sandbox.settled();
    const ofWatch = [
      '👁️ web-1 (101): reports an error, and nobody had asked me for it',
      '🙋 @ana is on it: web-1 (101)',
      expect.stringMatching(/^👁️ web-1 \(101\): running again, after \d+ s$/),
    ];
    expect(told(await answerTo(sandbox, 'admin', '/lamplighter story'))).toEqual([
      '@admin: watch name:web-*',
      ...ofWatch,
      expect.stringMatching(/^🔔 The balance is critical: \d+$/),
      '🙋 @bob is on the alert',
      expect.stringMatching(/^🔔 The balance is fine again: \d+$/),
    ]);
    // An operator may see no figures.
    expect(told(await answerTo(sandbox, 'bob', '/lamplighter story'))).toEqual(ofWatch);
    // What is over can be told from its card.
    await slack.person('ana').presses(incident, 'Tell the story');
    const about = await slack.until(() =>
      privateTexts(sandbox, 'ana').find((text) => text.startsWith('What happened to web-1 (101)')),
    );
    expect(told(about)).toEqual(ofWatch);
    const attempts = await answerTo(sandbox, 'admin', '/lamplighter audit');
    expect(attempts).toContain('on it web-1 (101): done');
    expect(attempts).not.toContain('incident');
  });
});
