import { describe, expect, it } from 'vitest';
import { customer, instance } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answeredWith, botMessages, type PlayOptions } from '../support/sandbox.ts';
import { FLEET, playTwoAccounts, powerCallsTo, type TwoAccounts } from './two-accounts.ts';

/** What a person reads alone who says a line in #ops, in the order in which it comes: `typed` after a slash, else as a mention. */
async function reads(sandbox: Sandbox, line: string, count = 1, who = 'admin'): Promise<readonly string[]> {
  const { slack } = sandbox;
  const before = slack.channel('#ops').ephemeralFor(who).length;
  if (line.startsWith('/')) await slack.person(who).types('#ops', line);
  else await slack.person(who).mentions('#ops', line);
  const said = (): readonly string[] =>
    slack
      .channel('#ops')
      .ephemeralFor(who)
      .slice(before)
      .map((one) => slack.read(one));
  await slack.until(() => said().length >= count);
  await sandbox.settled();
  expect(said(), said().join('\n\n')).toHaveLength(count);
  return said().toSorted();
}

/** Two accounts, of which labs alone has `ci-1`. */
async function playUnlike(options: PlayOptions = {}): Promise<TwoAccounts> {
  const labs = { customers: [customer('acme', { instances: [...FLEET, instance(201, 'ci-1')] })] };
  return playTwoAccounts(undefined, { ...options, accounts: { labs: { world: labs } } });
}

describe('a line that names no account', () => {
  it.each(['/instances', 'what is running', '/instances list name:web-*', '/billing', 'show web-1', 'web-1'])(
    '"%s" is answered for each, a part for each',
    async (line) => {
      const [acme, labs] = await reads((await playUnlike()).sandbox, line, 2);
      expect(acme).toMatch(/^`acme`\n/);
      expect(labs).toMatch(/^`labs`\n/);
    },
  );

  it.each(['/instances show ci-1', 'is ci 1 ok?', 'ci-1'])(
    '"%s" is answered by the one that has it',
    async (line) => {
      const [answer] = await reads((await playUnlike()).sandbox, line);
      expect(answer).toMatch(/^`labs`\n[^]*ci-1 \(201\)/);
    },
  );

  it.each(['/instances restart ci-1', 'restart ci-1', 'restart 201'])(
    '"%s" goes to the only one that has it, which its card says',
    async (line) => {
      const two = await playUnlike();
      const { slack } = two.sandbox;
      if (line.startsWith('/')) await slack.person('admin').types('#ops', line);
      else await slack.person('admin').mentions('#ops', line);
      await slack.until(() => powerCallsTo(two).labs === 1);
      await two.sandbox.settled();
      expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
      expect(slack.read(botMessages(two.sandbox)[0]!)).toMatch(/^`labs`\n/);
    },
  );

  it('can be canceled where it is asked which is meant', async () => {
    const two = await playUnlike();
    const { slack } = two.sandbox;
    const question = await answeredWith(two.sandbox, 'admin', '/instances restart web-1');
    expect(slack.read(question)).toContain('Which account: acme or labs?');
    await slack.person('admin').presses(question, 'Cancel');
    await slack.until(() => slack.read(question).includes('Canceled. Nothing was changed.'));
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it.each(['/instances restart web-1', 'restart web-1', 'stop name:web-*', 'freeze for 2h "audit"'])(
    '"%s" has a button for each, and nothing begins',
    async (line) => {
      const two = await playUnlike();
      const [asked] = await reads(two.sandbox, line);
      expect(asked).toMatch(/^Which account: acme or labs\?\n.*\n\[ acme: .* \] \[ labs: .* \]/);
      expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
    },
  );

  it('a change of what only one has is offered by that one, as a sentence', async () => {
    const two = await playUnlike();
    const [asked] = await reads(two.sandbox, 'could you reboot ci 1');
    expect(asked).toMatch(/^`labs`\n[^]*\[ Restart ci-1 \(201\) \]/);
    const [near] = await reads(two.sandbox, 'restart ci-2');
    expect(near).toMatch(/^`labs`\n[^]*ci-1/);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it('a sentence about what both have is one press for each', async () => {
    const two = await playUnlike();
    const { slack } = two.sandbox;
    const [asked] = await reads(two.sandbox, 'could you reboot web 1');
    expect(asked).toContain('[ acme: Restart web-1 (101) ] [ labs: Restart web-1 (101) ]');
    const message = slack.channel('#ops').ephemeralFor('admin').at(-1)!; // it was read just now
    await slack.person('admin').presses(message, 'labs: Restart web-1 (101)');
    await slack.until(() => powerCallsTo(two).labs === 1);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
  });

  it.each([
    ['access grant operator @ana on 101', 'acme: Make @ana an operator on web-1 (101)'],
    ['access grant operator @ana so', 'acme: Access grant operator @ana so'],
    ['/instances restart 101', 'acme: Restart web-1 (101)'],
    ['freeze on 101 for 2h "audit"', 'acme: Freeze web-1 (101) for 2 hours: audit'],
  ])('"%s" has buttons that name people and instances: [%s]', async (line, label) => {
    const [asked] = await reads((await playUnlike()).sandbox, line);
    expect(asked).toContain(`[ ${label} ]`);
  });

  it.each(['help', '/lamplighter help', 'thanks', 'quux'])('"%s" is answered once', async (line) => {
    await reads((await playUnlike()).sandbox, line);
  });

  it('is answered by the other where one does not answer, which says so itself', async () => {
    const two = await playUnlike();
    two.labs.failNext({ path: /\/instances(\?|$)/ }, 503, Infinity);
    const [acme, labs] = await reads(two.sandbox, '/instances', 2);
    expect(acme).toMatch(/^`acme`\n/);
    expect(labs).toMatch(/^`labs`\n.*The hosting service/s);
    const [asked] = await reads(two.sandbox, 'restart web-1');
    expect(asked).toMatch(/^Which account: acme or labs\?/);
  });

  it('what one had before it went down does not say for certain that only the other has it', async () => {
    const two = await playUnlike();
    await reads(two.sandbox, '/instances', 2);
    // It says so at once, until when.
    const down = { answer: 503, done: false, retryAfterSeconds: 600 } as const;
    two.acme.failNext({ path: /\/instances(\?|$)/ }, down, Infinity);
    // Another process, which has read nothing yet.
    await two.sandbox.stopBots();
    await two.sandbox.startBot();
    const [acme] = await reads(two.sandbox, '/instances', 2);
    expect(acme).toMatch(/^`acme`\nThe hosting service doesn't answer\. This is from /);
    const [asked] = await reads(two.sandbox, 'restart ci-1');
    expect(asked).toMatch(/^Which account: acme or labs\?/);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });
});

describe('a sentence with the name of an account in it', () => {
  it.each([
    ['how is the labs web server doing', /^`labs`\n[^]*web-1 \(101\)[^]*web-2 \(102\)/],
    ['details of db-1 in labs', /^`labs`\n[^]*db-1 \(103\)/],
    ['what is running in acme', /^`acme`\n/],
    ['reboot the labs db', /^`labs`\n[^]*\[ Restart db-1 \(103\) \]/],
    ['reboot web-1 over in labs', /^`labs`\n[^]*\[ Restart web-1 \(101\) \]/],
  ])('"%s" is about that one', async (line, words) => {
    const two = await playUnlike();
    expect((await reads(two.sandbox, line))[0]).toMatch(words);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it.each([
    'restart web-1 --because "labs is slow"',
    'freeze for 2h moving out of labs',
    'freeze for 2h "labs audit"',
    'alerts to labs',
    'save labs = name:web-*',
    'access grant operator @ana on labs',
  ])('is asked about where the name may be another thing: %s', async (line) => {
    const two = await playUnlike();
    const [asked] = await reads(two.sandbox, line);
    expect(asked).toMatch(/^Which account: acme or labs/);
  });

  it('is about all of that account where its name stands with what is changed for a whole account', async () => {
    const { sandbox } = await playUnlike();
    for (const [line, words] of [
      ['freeze labs until 18:00', /Why\?[^]*\[ Freeze everything until 18:00: … \]/],
      ['freeze everything until 18:00 in the labs account', /Why\?/],
      ['/lamplighter freeze labs for 2h "release"', /Frozen\. Posted here/],
      ['thaw labs', /Thawed/],
      ['alerts off labs', /Alerts are off\./],
      ["turn off labs' alerts", /\[ Turn alerts off \]/],
      ['/billing alerts labs set warn 6d critical 3d', /Changed\./],
      ['digest labs weekly mon 09:00', /The digest goes to #ops/],
      ['/billing digest off labs', /The digest is off\./],
      ['snooze labs 4h', /There is no alert right now/],
    ] as const) {
      const [answer] = await reads(sandbox, line);
      expect(answer, line).toMatch(/^`labs`\n/);
      expect(answer, line).toMatch(words);
    }
  });

  it('is about an instance that is called so, where there is one', async () => {
    const labs = { customers: [customer('acme', { instances: [...FLEET, instance(301, 'acme')] })] };
    const two = await playTwoAccounts(undefined, { accounts: { labs: { world: labs } } });
    expect((await reads(two.sandbox, 'how is acme'))[0]).toMatch(/^`labs`\n[^]*acme \(301\)/);
  });
});

describe('a change goes to no account that was not meant', () => {
  it('is asked about while no account can be read', async () => {
    const two = await playTwoAccounts();
    for (const hosting of [two.acme, two.labs])
      hosting.failNext(
        { path: /\/instances(\?|$)/ },
        { answer: 429, done: false, retryAfterSeconds: 2 },
        Infinity,
      );
    const [asked] = await reads(two.sandbox, '/instances restart web-1');
    expect(asked).toMatch(/^Which account: acme or labs\?/);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it.each([
    ['/instances stop name:*labs', /No instance matches/],
    ['/instances stop labs*', /exactly the name or id "labs\*"/],
    ['/lamplighter access grant operator @ana on *labs for 8h', /@ana is an operator on \*labs/],
    ["/lamplighter freeze for 2h 'labs audit'", /Frozen/],
    ['/lamplighter freeze for 2h moving out of labs', /everything with the reason "moving out of labs"\?/],
  ])('"%s" is the default account\u2019s, with all that was typed', async (line, words) => {
    const two = await playTwoAccounts((idOf) => ({ acme: { default_in: [idOf('#ops')] } }));
    const [answer] = await reads(two.sandbox, line);
    expect(answer).toMatch(/^`acme`\n/);
    expect(answer).toMatch(words);
  });

  it('a word of a reason is no name of an instance', async () => {
    const labs = { customers: [customer('acme', { instances: [...FLEET, instance(301, 'release')] })] };
    const two = await playTwoAccounts(undefined, { accounts: { labs: { world: labs } } });
    expect((await reads(two.sandbox, '/lamplighter freeze for 2h "release"'))[0]).toMatch(/^Which account/);
  });

  it('a name to the letter is kept in the button', async () => {
    const fleet = [instance(201, '_backup_'), instance(202, 'backup')];
    const world = { customers: [customer('acme', { instances: fleet })] };
    const two = await playTwoAccounts(undefined, { hosting: { world }, accounts: { labs: { world } } });
    await reads(two.sandbox, '/instances restart _backup_');
    const { slack } = two.sandbox;
    const message = slack.channel('#ops').ephemeralFor('admin').at(-1)!; // it was read just now
    await slack.person('admin').presses(message, 'labs: Restart _backup_');
    await slack.until(() => powerCallsTo(two).labs === 1);
    expect(two.labs.countCalls('POST', /\/201\/restart$/)).toBe(1);
  });

  it('a message that Slack delivers again goes where it went', async () => {
    const two = await playUnlike();
    const { slack } = two.sandbox;
    const admin = slack.person('admin');
    await admin.types('#ops', '/lamplighter default labs');
    await two.sandbox.settled();
    const said = await admin.mentions('#ops', 'restart web-1');
    await slack.until(() => powerCallsTo(two).labs === 1);
    await admin.types('#ops', '/lamplighter default acme');
    await two.sandbox.settled();
    await slack.retry(said.requestId!, 1);
    await two.sandbox.settled();
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
  });

  it('is asked about while nobody can tell whether an instance is called like an account', async () => {
    const acme = { customers: [customer('acme', { instances: [...FLEET, instance(301, 'labs')] })] };
    const labs = { customers: [customer('acme', { instances: FLEET })] };
    const two = await playTwoAccounts(undefined, {
      hosting: { world: acme },
      accounts: { labs: { world: labs } },
    });
    two.acme.failNext({ path: /\/instances(\?|$)/ }, 503, Infinity);
    expect((await reads(two.sandbox, 'restart labs'))[0]).toMatch(/^Which account: acme or labs\?/);
  });

  it('is taken in time however long it takes to find out whose it is', async () => {
    const two = await playUnlike({ timings: { writeDownWithinMs: 300 } });
    two.acme.failNext(
      { path: /\/instances(\?|$)/ },
      { answer: 'as usual', done: true, delayMs: 500 },
      Infinity,
    );
    const { slack } = two.sandbox;
    await slack.person('admin').mentions('#ops', 'restart ci-1');
    await slack.until(() => powerCallsTo(two).labs === 1);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
  });
});

it.each(['hi', ''])('who says "%s" reads what is going on in each account', async (line) => {
  await reads((await playUnlike()).sandbox, line, 2);
});
