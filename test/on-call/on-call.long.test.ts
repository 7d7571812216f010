import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance } from '../../sandbox/world.ts';
import {
  dmsOf,
  find,
  looks as looksAtMoney,
  reads as readsMoney,
  setDays,
  watch as balance,
} from '../billing/watching.ts';
import { readPolicyFile } from '../../src/core/policy/policy-file.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, botMessages, play, type PlayOptions, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { findCard, incidents, looks, reads, setWatch } from '../watches/watching.ts';

const SET = 'first @oncall, after 10 min @fin, after 30 min the admins';

/** A sandbox in whose #ops web-* are watched, with these on call. */
async function onCall(words: string, options: PlayOptions = {}): Promise<Sandbox> {
  const sandbox = await play(options);
  await setWatch(sandbox, 'name:web-*');
  await answerTo(sandbox, 'admin', `/lamplighter oncall ${words}`);
  return sandbox;
}

/** Quiet from now on for most of the day, by the clock of who says it. */
function quietNow(more = ''): string {
  const hour = new Date().getUTCHours();
  const clock = (at: number): string => `${String((at + 24) % 24).padStart(2, '0')}:00`;
  return `quiet ${clock(hour - 2)} to ${clock(hour + 8)} UTC ${more}`;
}

/** Ends the quiet hours. */
const ENDED = '/lamplighter oncall quiet off';

const told = (sandbox: Sandbox, who: string): readonly string[] =>
  dmsOf(sandbox, who).filter((text) => text.startsWith('🔔'));

describe('/lamplighter oncall', () => {
  it('is set in a channel by an admin, told to everybody there, shown, and ended by a press', async () => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'ana', '/lamplighter oncall')).toContain('I message no one directly');
    expect(await answerTo(sandbox, 'ana', `/lamplighter oncall ${SET}`)).toContain('admin role');
    expect(await answerTo(sandbox, 'admin', `/lamplighter oncall ${SET}`)).toMatch(
      /I tell directly:\n• at once @oncall\n• after 10 min @fin\n• after 30 min the admins\n/,
    );
    await reads(
      sandbox,
      '@admin set who is on call in this channel: at once @oncall, after 10 min @fin, after 30 min the admins.',
    );
    expect(await answerTo(sandbox, 'bob', '@lamplighter who is on call?')).toContain('• at once @oncall');
    expect(
      await answerTo(sandbox, 'admin', '/lamplighter oncall quiet 10pm-7am except critical, prod-*'),
    ).toContain('🌙 Quiet from 22:00 to 07:00 (Europe/Berlin), except for critical alerts and prod-*.');
    const [shown] = sandbox.slack.channel('#ops').ephemeralFor('admin').slice(-1);
    if (!shown) throw new Error('nothing was shown');
    await sandbox.slack.person('admin').presses(shown, 'End quiet hours');
    await reads(sandbox, '@admin ended the quiet hours of this channel.');
    expect(await answerTo(sandbox, 'admin', '/lamplighter oncall off')).toContain(
      'I message no one directly',
    );
    // What is so already is no news.
    for (const line of ['oncall off', 'on-call off', 'on call off', 'oncall quiet off', 'on call right now?'])
      expect(await answerTo(sandbox, 'admin', `/lamplighter ${line}`)).toContain('I message no one directly');
    await sandbox.settled();
    expect(readAll(sandbox).filter((text) => /turned off direct|ended the quiet/.test(text))).toHaveLength(2);
    expect(
      await answerTo(sandbox, 'admin', '/lamplighter oncall @guest @guest, after half an hour @bob'),
    ).toMatch(
      /• at once @guest ⚠️ Nobody there may see instances in this channel, so they hear nothing\.\n• after 30 min @bob\n/,
    );
    expect(await answerTo(sandbox, 'admin', '@lamplighter put @bob on call')).toContain(
      'Is this what you want: oncall first @bob?',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter on call first @ana, after 5 min @bob')).toContain(
      '• at once @ana\n• after 5 min @bob\n',
    );
    await sandbox.slack.person('admin').types('dm', 'oncall first @bob');
    await sandbox.slack.until(() =>
      dmsOf(sandbox, 'admin').some((text) => text.includes('Who is on call is set for each channel')),
    );
  });

  it('says what is wrong with what was typed, and changes nothing', async () => {
    const sandbox = await play();
    for (const [words, expected] of [
      ['first @oncall, after 10 min', 'Each step needs somebody'],
      ['first bob', 'I don\'t know who "bob" is'],
      ['first @oncall after soon @bob', 'I don\'t understand the time after "after"'],
      ['first @oncall, after 30 min @bob, after 10 min @fin', 'must come later than the one before'],
      ['after 3d @bob', 'a day after the first at most'],
      ['after 25h @bob', 'a day after the first at most'],
      ['quiet', "I don't understand from when to when"],
      ['quiet 25:00-07:00', 'I don\'t understand "25:00"'],
      ['quiet 22:00-22:00', "can't begin and end at the same time"],
      [
        'quiet 22:00-07:00 on mondays',
        'I don\'t understand "on". Quiet hours have one beginning and one end, the same every day.',
      ],
      ['quiet 22:00-07:00 except', 'Say what breaks them'],
    ] as const) {
      const said = await answerTo(sandbox, 'admin', `/lamplighter oncall ${words}`);
      expect(said, words).toContain(expected);
      expect(said, words).toContain('Nothing was changed.');
    }
    for (const [words, expected] of [
      ['@gone', "@gone is deactivated, so they can't be on call."],
      ['first @ana, after 5 min @robot', "@robot is a bot, so they can't be on call."],
      ['quiet 22:00-07:00 except everything', 'No instance has exactly the name or id "everything"'],
    ] as const) {
      const said = await answerTo(sandbox, 'admin', `/lamplighter oncall ${words}`);
      expect(said, words).toContain(expected);
    }
    expect(await answerTo(sandbox, 'admin', '/lamplighter oncall')).toContain('I message no one directly');
    sandbox.slack.membersOf('@oncall').clear();
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit @oncall')).toContain('Nobody is in @oncall');
  });
});

describe('an incident that nobody is on', () => {
  it('is told to who is on call, who takes it from there, and to nobody twice', async () => {
    const sandbox = await onCall('first @ana, after 10 min @bob');
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    const message = await sandbox.slack.until(() => sandbox.slack.person('ana').dms[0]);
    expect(sandbox.slack.read(message)).toMatch(
      /^🔔 Unacknowledged in #ops since .*, so I'm telling you directly\.\n🔴 web-1 \(101\) reports an error/,
    );
    await sandbox.slack.person('ana').presses(message, "I'm on it");
    await sandbox.slack.until(() => sandbox.slack.read(card).includes('@ana is on it'));
    await sandbox.slack.until(() =>
      sandbox.slack
        .read(message)
        .startsWith('🔔 Nobody had acknowledged this in #ops, so I told you directly.'),
    );
    await looks(sandbox, 4);
    expect(told(sandbox, 'ana')).toHaveLength(1);
    expect(told(sandbox, 'bob')).toEqual([]);
    sandbox.hosting.changeStatus(101, 'running');
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('web-1 (101) is running again'));
  });

  it('goes on to the next step at once where who was told is away, and to the channel where all are', async () => {
    const sandbox = await onCall('first @oncall, after 10 min @fin', { bot: true });
    for (const who of ['ana', 'bob', 'fin']) sandbox.slack.setPerson(who, { isSnoozed: true });
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await sandbox.slack.until(() => told(sandbox, 'fin').length > 0);
    const inThread = await sandbox.slack.until(() =>
      sandbox.slack
        .channel('#ops')
        .replies(card.ts)
        .find((reply) => sandbox.slack.read(reply).startsWith('🔔')),
    );
    expect(sandbox.slack.read(inThread)).toMatch(/Everyone on call has paused their notifications/);
    await looks(sandbox, 4);
    expect(told(sandbox, 'ana')).toHaveLength(1);
    // Slack takes few such questions a minute: each look asks none anew.
    expect(sandbox.slack.calls.filter(({ method }) => method === 'dnd.teamInfo')).toHaveLength(1);
  });

  it("isn't told to who may not see it, and goes on at once where nobody in a step may", async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    // The right counts in the channel of the watch, also where it is used in direct messages.
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob on web-* in #ops');
    await setWatch(sandbox, 'name:web-*');
    await answerTo(sandbox, 'admin', '/lamplighter oncall first @ana, after 10 min @bob');
    sandbox.hosting.changeStatus(101, 'error');
    await sandbox.slack.until(() => told(sandbox, 'bob').length > 0);
    const message = sandbox.slack.person('bob').dms.find((one) => sandbox.slack.read(one).startsWith('🔔'));
    if (!message) throw new Error('nothing was told');
    await sandbox.slack.person('bob').presses(message, "I'm on it", { version: 0 });
    await reads(sandbox, '@bob is on it');
    await looks(sandbox, 4);
    expect(told(sandbox, 'ana')).toEqual([]);
  });

  it('that others come to shows who was told of it no more than they may see', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { hosting, slack } = sandbox;
    for (const id of [901, 902]) hosting.addInstance('harbour', instance(id, `web-${id}`));
    await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @ana on web-*');
    await setWatch(sandbox, 'name:*b-*');
    await answerTo(sandbox, 'admin', '/lamplighter oncall first @ana');
    // What comes after three that have a card each shares one.
    for (const id of [101, 102, 901]) hosting.changeStatus(id, 'stopped');
    await slack.until(() => told(sandbox, 'ana').length === 3);
    hosting.changeStatus(902, 'stopped');
    await slack.until(() => told(sandbox, 'ana').length === 4);
    hosting.changeStatus(105, 'error');
    expect(await reads(sandbox, 'db-1 (105) reports an error')).toContain('web-902 (902) was stopped');
    hosting.changeStatus(902, 'running');
    const shared = await slack.until(() =>
      told(sandbox, 'ana').find((text) => text.includes('web-902 (902) is running again')),
    );
    expect(shared).not.toContain('db-1');
    expect(told(sandbox, 'ana')).toHaveLength(4);
  });

  it('is said to the channel where a direct message about it reaches somebody not', async () => {
    const sandbox = await onCall('first @ana');
    // What goes to ana alone is refused.
    const isForAna = (call: {
      readonly method: string;
      readonly args: Readonly<Record<string, unknown>>;
    }): boolean =>
      call.method === 'conversations.open' && call.args['users'] === sandbox.slack.person('ana').id;
    sandbox.slack.failNext(isForAna, { error: 'cannot_dm_bot' });
    sandbox.hosting.changeStatus(101, 'error');
    await reads(sandbox, "🔔 Nobody is on this yet, and I couldn't send @ana a direct message about it.");
    // Nobody has to hear that of what somebody is on by then.
    const held = sandbox.slack.hold(isForAna);
    sandbox.hosting.changeStatus(102, 'error');
    await held.arrived;
    await sandbox.slack
      .person('bob')
      .presses(await findCard(sandbox, 'web-2 (102) reports an error'), "I'm on it");
    await reads(sandbox, '@bob is on it');
    sandbox.slack.failNext(isForAna, { error: 'cannot_dm_bot' });
    held.drop();
    await until(() => sandbox.logs.filter((line) => line.includes('reached nobody')).length === 2);
    await looks(sandbox, 4);
    await sandbox.said();
    expect(readAll(sandbox).filter((text) => text.includes("couldn't send @ana"))).toHaveLength(1);
  });

  it('is said again where it gets worse while it is snoozed, and no less', async () => {
    const sandbox = await play();
    await setWatch(sandbox, 'name:web-*');
    sandbox.hosting.changeStatus(101, 'stopped');
    sandbox.hosting.changeStatus(102, 'error');
    for (const words of ['web-1 (101) was stopped', 'web-2 (102) reports an error']) {
      const card = await findCard(sandbox, words);
      await sandbox.slack.person('admin').presses(card, 'Snooze for four hours');
      await sandbox.slack.until(() => sandbox.slack.read(card).includes('Snoozed by @admin'));
    }
    sandbox.hosting.changeStatus(102, 'stopped');
    sandbox.hosting.changeStatus(101, 'error');
    await reads(sandbox, 'web-1 (101) reports an error');
    await looks(sandbox, 4);
    expect(incidents(sandbox).filter((text) => text.includes('web-2'))).toHaveLength(1);
    expect(incidents(sandbox).filter((text) => text.includes('Snoozed by'))).toHaveLength(1);
  });
});

describe('in its quiet hours a channel', () => {
  it("hears of what can't wait, and of the rest afterwards, where that is so still", async () => {
    const sandbox = await onCall(quietNow());
    sandbox.hosting.changeStatus(101, 'stopped');
    sandbox.hosting.changeStatus(102, 'error');
    await reads(sandbox, 'web-2 (102) reports an error');
    for (const id of [901, 902])
      sandbox.hosting.addInstance('harbour', instance(id, `web-${id}`, { createdDaysAgo: 0 }));
    await looks(sandbox, 4);
    sandbox.hosting.removeInstance(901);
    await looks(sandbox, 4);
    expect(incidents(sandbox).filter((text) => /web-1|created/.test(text))).toEqual([]);
    await answerTo(sandbox, 'admin', ENDED);
    await reads(sandbox, 'web-1 (101) was stopped');
    await reads(sandbox, 'web-902 (902) was created');
    // What is gone by then is nobody's news.
    expect(incidents(sandbox).filter((text) => text.includes('web-901 (901) was created'))).toEqual([]);
  });

  it('hears of instances that are named as breaking them, and of nothing else', async () => {
    const sandbox = await onCall(quietNow('except web-1'));
    sandbox.hosting.changeStatus(102, 'error');
    sandbox.hosting.changeStatus(101, 'stopped');
    await reads(sandbox, 'web-1 (101) was stopped');
    await looks(sandbox, 4);
    expect(incidents(sandbox).filter((text) => text.includes('web-2'))).toEqual([]);
  });

  it('hears of a critical balance, and of a low one afterwards', async () => {
    const sandbox = await balance({ env: { BILLING_WARN: '5d', BILLING_CRITICAL: '2d' } });
    await answerTo(sandbox, 'admin', `/lamplighter oncall ${quietNow()}`);
    setDays(sandbox, 4);
    await looksAtMoney(sandbox, 6);
    expect(botMessages(sandbox).filter((message) => /low/.test(sandbox.slack.read(message)))).toEqual([]);
    setDays(sandbox, 1);
    await readsMoney(sandbox, /balance is critical/);
    await looksAtMoney(sandbox, 4);
    expect(
      botMessages(sandbox).filter((message) =>
        /balance is critical|critical:/.test(sandbox.slack.read(message)),
      ),
    ).toHaveLength(1);
  });

  it('hears of a low balance once they are over', async () => {
    const sandbox = await balance({ env: { BILLING_WARN: '5d', BILLING_CRITICAL: '2d' } });
    await answerTo(sandbox, 'admin', `/lamplighter oncall ${quietNow()}`);
    setDays(sandbox, 4);
    await looksAtMoney(sandbox, 6);
    await answerTo(sandbox, 'admin', ENDED);
    await readsMoney(sandbox, /getting low/);
    expect(find(sandbox, /getting low/)).toBeDefined();
    // That it was critical for a while meanwhile is nobody's news.
    await answerTo(sandbox, 'admin', `/lamplighter oncall ${quietNow('except web-1')}`);
    setDays(sandbox, 1);
    await looksAtMoney(sandbox, 6);
    setDays(sandbox, 4);
    await looksAtMoney(sandbox, 6);
    await answerTo(sandbox, 'admin', ENDED);
    await looksAtMoney(sandbox, 6);
    await sandbox.said();
    expect(readAll(sandbox).filter((text) => text.includes('balance is critical'))).toEqual([]);
  });
});

describe('a policy file', () => {
  const FILE = [
    'people: { lead: U0FIN000001 }',
    'oncall:',
    '  C0OPS000001:',
    '    steps: [{ who: [lead] }, { who: [admins], after: 10m }]',
    "    quiet: { from: '22:00', until: '07:00', zone: Europe/Berlin, except: [] }",
  ];

  it('says who is on call and when it is quiet, in place of what is set in Slack', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_POLICY: fileWith(FILE.join('\n')) } });
    expect(await answerTo(sandbox, 'bob', '/lamplighter oncall')).toMatch(
      /^🌙 Quiet from 22:00 to 07:00 \(Europe\/Berlin\)\. .*\n.*\n• at once @fin\n• after 10 min the admins\n/,
    );
    for (const words of ['first @bob', 'off', 'quiet off', 'quiet 21:00-06:00'])
      expect(await answerTo(sandbox, 'admin', `/lamplighter oncall ${words}`), words).toMatch(
        /kept in \S+, so nothing was changed/,
      );
  });

  it.each([
    [
      "    quiet: { from: '22:00', until: 25:00, zone: Europe/Berlin }",
      'until must be a time of day like 22:00',
    ],
    [
      "    quiet: { from: '22:00', until: '07:00', zone: CET }",
      'zone must be a time zone like Europe/Berlin',
    ],
    [
      '    steps: [{ who: [lead], after: 10m }, { who: [admins], after: 5m }]',
      'steps must come one after another',
    ],
    ['    steps: [{ who: [nobody-here] }]', '"nobody-here" is neither a name in people nor an id'],
    ['    steps: [{ who: [] }]', 'who must name somebody'],
    [
      '    steps: [{ who: [lead], afterwards: 10m }]',
      '"afterwards" is not known here. There are who, after.',
    ],
    ['    hours: 9', '"hours" is not known here. There are steps, quiet.'],
  ])('with %s has a fault that names its line', (line, expected) => {
    const read = readPolicyFile([...FILE.slice(0, 3), line].join('\n'));
    expect(read).toEqual({ faults: [{ line: 4, what: expect.stringContaining(expected) }] });
  });
});

describe('a user group', () => {
  it('is named as a person is: in the audit, the story and who holds what', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    await runToEnd(sandbox, 'fin', '/instances restart web-2');
    for (const line of [
      '/lamplighter audit @oncall',
      '/lamplighter story @oncall',
      '@lamplighter what did @oncall do today',
    ]) {
      const said = await answerTo(sandbox, 'admin', line);
      expect(said, line).toContain('restart web-1 (101)');
      expect(said, line).not.toContain('web-2');
    }
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @oncall')).toBe(
      'I know of no role that is given to @oncall.',
    );
    await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @oncall on web-*');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @oncall')).toBe(
      'Everyone in @oncall holds:\n• viewer on web-*.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter access revoke @oncall')).not.toContain('S0');
  });
});
