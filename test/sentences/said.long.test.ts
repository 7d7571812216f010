import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { play, powerCalls, readAll, ready } from '../support/sandbox.ts';
import { readLines } from './lines.ts';
import { says } from './says.ts';

/** The month before this one, by a clock on a wall in Berlin, where everybody here lives; the world has 30 days of history. */
const LAST_MONTH = Temporal.Now.plainDateISO('Europe/Berlin').subtract({ months: 1 });
const MONTH = LAST_MONTH.toLocaleString('en-US', { month: 'long' });
const MONTH_AND_YEAR = `${MONTH} ${LAST_MONTH.year}`;

const NOTHING_YET = 'Is this what you want? Nothing has started yet.';

it('a button for several says how many pass its filter now', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
  const list = await says(sandbox, 'list');
  const [, count = ''] = /(\d+) instances/.exec(list) ?? [];
  const answer = await says(sandbox, 'stop everything');
  expect(answer).toContain(`[ Stop all ${count} instances ] [ Cancel ]`);
  expect(powerCalls(sandbox)).toBe(0);
});

describe('somebody who types like people', () => {
  it.each([
    ['db-1 please', 'db-1 (105) · running', 'I read that as "show db-1".'],
    ['is web 2 ok?', 'web-2 (102) · running', 'I read that as "show web-2".'],
    ["what's down?", "instances aren't running: 2 in trouble", 'staging (104) · stopped', 'paused'],
    ["what's broken", '2 in trouble', 'paused'],
    ['how much is left', '6,300 credits', 'I read that as "balance".'],
    ['who restarted web-1', 'I made no changes to web-1 (101)', 'I read that as "history web-1".'],
    ['web-1 and web-2', 'web-1 (101) · running', 'web-2 (102) · running'],
    ['what happens if I stop db-1', 'Would stop db-1 (105)', 'I read that as "stop db-1 --dry-run".'],
    ['Web-1', 'web-1 (101) · running', 'Tier: balanced'],
    ['wtf is wrong w web-1', 'web-1 (101) · running', 'I read that as "show web-1".'],
    ['save name:web-* as webs', '[ Save webs = name:web-* ]'],
    ['stop the running server', 'Which instance do you want to stop?'],
    ["what's on 2001:db8::66", 'web-2 (102) · running'],
    ['delete the schedule', 'I read that as "schedules".'],
    ['protect db-1', "I can't change what is protected."],
    ["what's protected", "I can't list what is protected."],
    ['how much do we save if we stop db-1', 'What stopping one saves at most'],
    ['whats left', '6,300 credits'],
    ['spent this week', 'I read that as "transactions --in '],
    ['who topped up last', 'transactions of type "purchase"'],
    ['who may do what', 'Every full member'],
    ['show me everything @ana holds', '@ana holds:'],
    ['is everything set up right', 'checks passed'],
    ['how do i invite you', 'Type /invite there and pick me.'],
    ['what needs me', '2 in trouble'],
    ['what do we watch', 'Nothing is watched in this channel.'],
    ['is hetzner down', 'Nothing is in progress.'],
    ['is everything ok', '2 in trouble'],
    ['can i have operator', 'Every full member'],
    ['who made web-2', 'I made no changes to web-2 (102)'],
    ['ill take it', 'There is no alert right now'],
    ['unsnooze', 'There is no alert right now'],
    ['end the snooze', 'There is no alert right now'],
    ['is web-1 configured', 'web-1 (101) · running'],
    ['what @ana has done today', 'I read that as "audit'],
    ['what can we do to save credits', 'What stopping one saves at most'],
    ['stop the weekly summary', 'There is no digest, so there is nothing to turn off.'],
  ])('reads the answer to "%s" at once', async (line, ...parts) => {
    const answer = await says(await play(), line);
    for (const part of parts) expect(answer).toContain(part);
  });

  it.each([
    ['restart web-1 please', 'Restart web-1 (101)'],
    ['Restart Web-1.', 'Restart web-1 (101)'],
    ['yo bounce db-1 its on fire 🔥', 'Restart db-1 (105)'],
    ['kill web-2', 'Stop web-2 (102)'],
    ['restart web-1 and web-2 pls', 'Restart web-1 (101), web-2 (102)'],
    ['stop staging every weekday at 8pm', 'Schedule staging (104) stop at 20:00 mon-fri'],
    ['turn of worker-1', 'Stop worker-1 (103)'],
    ['turn alerts off', 'Turn alerts off'],
    ['weekly summary on monday 9am', 'Digest weekly mon 09:00'],
  ])('is offered what "%s" asks for, and nothing begins', async (line, label) => {
    const sandbox = await play();
    expect(await says(sandbox, line)).toBe(`${NOTHING_YET}\n[ ${label} ] [ Cancel ]`);
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('reads in the audit what was done, and not that a sentence was refused', async () => {
    const sandbox = await play();
    await says(sandbox, 'restart web-1 and web-2');
    expect(await says(sandbox, 'audit')).not.toMatch(/refused/);
  });

  it('is led to where credit is added, and not asked for an instance', async () => {
    expect(await says(await play(), 'add credit')).toContain('You add credit at the hosting service');
  });

  it('is told to mention who gets a role', async () => {
    expect(await says(await play(), 'give bob operator on staging for 8h')).toContain(
      "I can't tell from that who gets which role. Mention the person with @",
    );
  });

  it('reads of yesterday what was spent yesterday alone', async () => {
    const answer = await says(await play(), 'what did we spend yesterday');
    const [, day] = /transactions of (\d{4}-\d\d-\d\d) \(UTC\)/.exec(answer) ?? [];
    const days = new Set(answer.match(/^20\d\d-\d\d-\d\d(?= \d\d:\d\d)/gm));
    expect([...days]).toEqual([day]);
  });

  it.each(['2026-13', '2026-02-30', '2026-10-05..2026-10-01', 'october'])(
    'reads which days can be asked for: %s',
    async (days) => {
      expect(await says(await play(), `billing transactions --in ${days}`)).toContain(
        `I can't read "${days}". Say --in 2026-10 for a month`,
      );
    },
  );

  it('is offered a file before it is sent', async () => {
    const sandbox = await play();
    expect(await says(sandbox, 'can you export the audit as csv')).toBe(
      'I read that as "audit --csv".\n[ Send the audit as CSV ]',
    );
  });

  it.each([
    ['csv october', 'billing transactions --in 20\\d\\d-10 --csv', '[ Send October 20\\d\\d as CSV ]'],
    ['download oct transactions', 'transactions --in 20\\d\\d-10 --csv', '[ Send October 20\\d\\d as CSV ]'],
    [
      'send me the invoice for web-1',
      'transactions --instance web-1 --csv',
      '[ Send all transactions of web-1 (101) as CSV ]',
    ],
  ])('is offered a file of just what "%s" names', async (line, words, label) => {
    const answer = await says(await play(), line);
    const asPattern = (text: string): RegExp => new RegExp(text.replace(/[[\]()]/g, '\\$&'));
    expect(answer).toMatch(asPattern(`${words.replace('billing ', '')}".`));
    expect(answer).toMatch(asPattern(label));
  });

  it('reads first what a month came to, and can have it as a file', async () => {
    const answer = await says(await play(), `${MONTH} bill`.toLowerCase());
    expect(answer).toMatch(
      new RegExp(`${MONTH_AND_YEAR} cost [\\d,]+ credits\\.\\n.*transactions? of ${MONTH}`),
    );
    expect(answer).toContain(`[ Send ${MONTH_AND_YEAR} as CSV ]`);
    expect(await says(await play(), 'the bill of this month')).toMatch(
      /[A-Z][a-z]+ 20\d\d has cost [\d,]+ credits so far\./,
    );
  });

  it('reads which time was left out of what is shown', async () => {
    expect(await says(await play(), 'who restarted web-1 in october')).toContain('without "in october"');
  });

  it.each([
    ['grant operator @bob on web-* for 7d', 'Make @bob an operator on web-* for 1 week'],
    ['make @bob operator for 4 hours on web-1', 'Make @bob an operator on web-1 for 4 hours'],
    ['make @bob operator until friday 18:00 on web-1', 'Make @bob an operator on web-1 until Fri 18:00'],
    ['grant @bob operator on web-1', 'Make @bob an operator on web-1'],
    ['give @bob operator on web-1', 'Make @bob an operator on web-1'],
    ['offboard @bob', 'Revoke all of @bob…'],
    [
      'freeze everything until sat 09:00 because of release',
      'Freeze everything until Sat 09:00: because of release',
    ],
    ['only warn us below 500', 'Warn below 500 credits'],
    ['stop everything', 'Stop all 23 instances'],
  ])('reads on the button what "%s" does, in words', async (line, label) => {
    expect(await says(await play(), line)).toContain(`[ ${label} ]`);
  });

  it('gives a role in the channel that is named, and is told so', async () => {
    expect(await says(await play(), 'make @fin finance in #ops')).toContain(
      'access grant finance @fin in #ops? Nothing has started yet.',
    );
  });

  it('reads what is wrong with a command, where they give it options', async () => {
    expect(await says(await play(), 'please restart web-1 --dry-run')).toContain(`I don't know "please"`);
  });

  it('reads who a role is for by name, and not by an id', async () => {
    const sandbox = await play();
    expect(await says(sandbox, 'make @bob operator for 8 hours')).toBe(
      'Is this what you want: access grant operator @bob for 8h? Nothing has started yet.\n[ Make @bob an operator for 8 hours ] [ Cancel ]',
    );
  });

  it('begins exactly what the button says', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await says(sandbox, 'could you reboot web 1 please');
    const [message] = slack.channel('#ops').ephemeralFor('admin');
    await slack.person('admin').presses(message!, 'Restart web-1 (101)'); // it was read above
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('is asked which one is meant by a name that is none, with each as a button', async () => {
    expect(await says(await play(), 'restart wbe-1')).toContain(
      '[ Restart web-1 (101) ] [ Restart web-2 (102) ]',
    );
  });

  it.each([
    ['stop web-1 web-one', 'name or id "web-one"', '[ Stop web-1 (101) ]'],
    ['stop web-1 wbe-2', 'name or id "wbe-2"', '[ Stop web-1 (101), web-2 (102) ] [ Stop web-1 (101) ]'],
    ['restart web-1 and wbe-2', '"wbe-2"', '[ Restart web-1 (101), web-2 (102) ] [ Restart web-1 (101) ]'],
    [
      'restart web-1 and twins please',
      'meant by "twins"',
      '[ Restart web-1 (101), twins (212) ] [ Restart web-1 (101), twins (213) ] [ Restart web-1 (101) ]',
    ],
    ['watch web-1 web-9', '"web-9"', '[ Watch web-1 (101), web-2 (102) ] [ Watch web-1 (101) ]'],
    ['schedule web-1 zzz-9 stop at 20:00', '"zzz-9"', '[ Schedule web-1 (101) stop at 20:00 ]'],
    [
      'stop web-1 zzz-9 --because "it leaks"',
      'name or id "zzz-9"',
      '[ Stop web-1 (101) --because "it leaks" ]',
    ],
    [
      'please restart web-1, db-1 and wbe-2',
      'There is no instance "wbe-2".',
      '[ Restart web-1 (101), db-1 (105), web-2 (102) ] [ Restart web-1 (101), db-1 (105) ] [ Cancel ]',
    ],
    ['web-1 and web-9', 'web-1 (101) · running', 'I read that as "show web-1", without "web-9".'],
    ['any operatons', 'Nothing is in progress', 'I read that as "operations".'],
    ['aprovals', 'Nothing is waiting for an approval', 'I read that as "approvals".'],
    ['any operations at lunch', 'Nothing is in progress', 'I read that as "operations", without "lunch".'],
    ['restart web-1 or web-2', 'Which one do you mean?', '[ Restart web-1 (101) ] [ Restart web-2 (102) ] ['],
    [
      'stop either web-1, web-2 or db-1',
      'Which one',
      '[ Stop web-1 (101) ] [ Stop web-2 (102) ] [ Stop db-1',
    ],
    ['restart name:web-*,-web-1', 'A minus leaves out', '[ Restart all web-* -name:web-1 ]'],
    ['delete web-1 web-9', '"web-1 web-9"', '[ Pick an instance to delete ▾ ]'],
  ])('reads of "%s" which name is none, and what is left', async (line, name, rest) => {
    const sandbox = await play();
    const answer = await says(sandbox, line);
    expect(answer).toContain(name);
    expect(answer).toContain(rest);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    'stop everything other than db-1',
    'stop web-1 skip db-1',
    'restart web-1 db-1 bar web-1',
    'restart web-1 once the deploy is done',
    'stop web-1 provided bob agrees',
  ])('is offered no change of "%s" by leaving out the words that nothing is called', async (line) => {
    const sandbox = await play();
    expect(await says(sandbox, line)).not.toMatch(/\[ (?:Stop|Restart) (?:db-1|web-1 \(101\)(?:,| \]))/);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('stops all that a button names, once the slip is mended', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await says(sandbox, 'stop web-1 wbe-2');
    const [message] = slack.channel('#ops').ephemeralFor('admin');
    await slack.person('admin').presses(message!, 'Stop web-1 (101), web-2 (102)'); // it was read above
    await slack.until(() =>
      slack
        .channel('#ops')
        .ephemeralFor('admin')
        .some((one) => slack.read(one).includes('Stop 2 instances?')),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is never offered a change of a name that is none', async () => {
    const answer = await says(await play(), 'schedule web-7 stop at 20:00');
    expect(answer).toContain('No instance has exactly the name or id "web-7"');
    expect(answer).not.toContain('[ Schedule web-7');
  });

  it.each(['please unwatch that thing', 'please stop watching it'])(
    'begins nothing by "%s", which names nothing and would then be about all',
    async (line) => {
      const sandbox = await play();
      await says(sandbox, 'watch name:web-*');
      expect(await says(sandbox, line)).toContain('I don\'t know "please".');
      expect(await says(sandbox, 'watches')).toContain('name:web-*');
    },
  );

  it('is asked of what a change is to be that names nothing', async () => {
    expect(await says(await play(), 'reboot that thing')).toContain('Pick an instance to restart');
  });

  it("reads what the bot can't do, and what it can show", async () => {
    expect(await says(await play(), 'show me the logs of worker-1')).toContain(
      "I can't show logs. Here is what I can show you of worker-1 (103).",
    );
  });

  it('finds the instance of the thread behind "it"', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances restart web-1');
    const card = await slack.until(() =>
      slack.channel('#ops').messages.find((one) => slack.read(one).includes('Restarted web-1 (101)')),
    );
    expect(await says(sandbox, 'is it back yet', { thread: card.ts })).toContain('web-1 (101) · running');
  });

  it('goes on with what they did last: "and web-2 too", and "it" outside of a thread', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances restart web-1');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    expect(await says(sandbox, 'and web-2 too')).toBe(`${NOTHING_YET}\n[ Restart web-2 (102) ] [ Cancel ]`);
    // What they were shown last is what they speak of.
    expect(await says(sandbox, 'start it')).toBe(`${NOTHING_YET}\n[ Start web-2 (102) ] [ Cancel ]`);
    // Somebody else did nothing here yet.
    expect(await says(sandbox, 'stop it', { who: 'bob' })).toContain('Pick an instance to stop');
  });

  it('is offered what most people want, where a line means nothing', async () => {
    expect(await says(await play(), 'flurb')).toBe(
      'I don\'t know "flurb".\n[ List ] [ Balance ] [ Help ] [ Operations ]',
    );
  });

  it('learns who can say yes, where they may not do what they ask for', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const answer = await says(sandbox, 'could you reboot web-1 please', { who: 'ana' });
    expect(answer).toMatch(/^Restart web-1 \(101\): You need the operator role/);
    expect(answer).not.toContain('[ Restart');
  });

  it('reads that everything is frozen, and not that a word is unknown', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter freeze for 4h "release"');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('froze everything')));
    const answer = await says(sandbox, 'could you reboot web-1 please', { who: 'ana' });
    expect(answer).toContain('froze everything');
    expect(answer).not.toContain("I don't");
  });

  it('reads that the service does not answer, where nobody can tell what is named', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({}, { answer: 503, done: false }, 1_000);
    for (const line of ['is web-9 ok', 'could you reboot web-9 please', 'web-9 and db-9 are slow'])
      expect(await says(sandbox, line), line).toContain('The hosting service answered with an error (503)');
    expect(await says(sandbox, 'who can restart things')).toContain('admin, by the configuration');
  });

  it('reads that the database is away, and the bot goes on', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.redis!.kill(); // it has one of its own
    for (const line of ['could you reboot web-1 please', 'web-1 and web-2 both need a restart'])
      expect(await says(sandbox, line), line).toContain("I can't reach my database right now");
    await sandbox.redis!.restart();
    await ready(sandbox);
    expect(await says(sandbox, 'is web-1 ok')).toContain('web-1 (101) · running');
  });

  it('gets an answer to every line, and none begins a change', async () => {
    const sandbox = await play();
    for (const { line } of readLines('sentences.tsv')) expect(await says(sandbox, line), line).not.toBe('');
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(0);
  });
});
