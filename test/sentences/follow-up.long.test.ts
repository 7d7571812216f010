import { describe, expect, it } from 'vitest';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';
import { says } from './says.ts';

const NOTHING_YET = 'Is this what you want? Nothing has started yet.';

describe('somebody who says what they need in their own words', () => {
  it.each([
    ['whats broken', ['2 in trouble', 'paused']],
    ['anything wrong?', ['2 in trouble', 'paused']],
    ['how long do we have', ['6,300 credits']],
    ['how many days left', ['6,300 credits']],
    ['tell ben', ["I can't message people for you. Mention them here with @ instead."]],
    ['let bob know', ["I can't message people for you."]],
    ['stop watching', ['I read that as "watches"']],
    ['whats going on', ['I read that as "now"']],
  ])('"%s" is answered with %j', async (line, parts) => {
    const answer = await says(await play(), line);
    for (const part of parts) expect(answer).toContain(part);
  });

  it('sees those in trouble alone', async () => {
    expect(await says(await play(), 'whats broken')).not.toContain('web-1 (101)');
  });

  it.each(['how tall is it', 'and september', 'whose turn'])(
    'reads of "%s" no correction that nobody meant',
    async (line) => {
      expect(await says(await play(), line)).not.toContain('Did you mean');
    },
  );

  it.each(['is the api down?', 'whats going on'])(
    'reads by "%s" that the hosting service does not answer',
    async (line) => {
      const sandbox = await play();
      sandbox.hosting.failNext({}, { answer: 503, done: false }, 1_000);
      expect(await says(sandbox, line)).toContain('The hosting service');
    },
  );

  it('is offered who leaves by name', async () => {
    expect(await says(await play(), 'offboard @bob')).toContain('access revoke @bob');
  });
});

it('who asks for what there is nothing of reads so at once, and is offered nothing', async () => {
  const sandbox = await play();
  const noAlert = 'There is no alert right now, so there is nothing to answer.';
  expect(await says(sandbox, 'snooze the alert')).toBe(noAlert);
  expect(await says(sandbox, 'im on it')).toBe(noAlert);
  expect(await says(sandbox, 'stop the digest')).toBe('There is no digest, so there is nothing to turn off.');
  expect(await says(sandbox, 'unfreeze')).toBe('Nothing is frozen.');
  await says(sandbox, 'freeze "release"');
  expect(await says(sandbox, 'unfreeze')).toBe(`${NOTHING_YET}\n[ End the freeze ] [ Cancel ]`);
});

it('what a phone makes of a hyphen is read as one, also beside a slip', async () => {
  expect(await says(await play(), 'restrat web\u20131')).toContain('[ Restart web-1 (101) ]');
});

it('nobody reads the id of a person', async () => {
  expect(await says(await play(), '@bob can you look')).toContain("I can't tell what that asks me for.");
});

it.each([
  ['viewer', 'stop the digest', 'Digest off: You need the finance role'],
  ['viewer', 'stop watching', 'I read that as "watches"'],
  ['finance', 'stop the digest', 'There is no digest, so there is nothing to turn off.'],
  ['none', 'stop the digest', 'Digest off: You need the finance role'],
])('who has the role %s and no right to power is not told of that by "%s"', async (role, line, part) => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: role } });
  const calls = sandbox.hosting.calls.length;
  const answer = await says(sandbox, line, { who: 'ana' });
  expect(answer).toContain(part);
  expect(answer).not.toContain('operator role');
  if (role === 'none') expect(sandbox.hosting.calls).toHaveLength(calls);
});

it('who may run nothing still reads so of what they name', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  expect(await says(sandbox, 'stop web-1', { who: 'ana' })).toContain('You need the operator role');
});

describe('after something was done', () => {
  it('"undo" offers what turns it around, and begins nothing', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances start staging');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Started staging (104)')));
    expect(await says(sandbox, 'undo')).toBe(`${NOTHING_YET}\n[ Stop staging (104) ] [ Cancel ]`);
    expect(await says(sandbox, 'try again')).toBe(`${NOTHING_YET}\n[ Start staging (104) ] [ Cancel ]`);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('"them" is all of several that were changed with one yes', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const answers = (): PostedMessage[] => sandbox.slack.channel('#ops').ephemeralFor('admin');
    await says(sandbox, 'stop web-1 and web-2');
    await admin.presses(answers().at(-1)!, 'Stop web-1 (101), web-2 (102)');
    const asks = await sandbox.slack.until(() =>
      answers().find((one) => sandbox.slack.read(one).includes('[ Stop 2 ]')),
    );
    await admin.presses(asks, 'Stop 2');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Both stopped')));
    for (const line of ['start them again', 'turn them back on', 'start both again', 'undo'])
      expect(await says(sandbox, line), line).toBe(
        `${NOTHING_YET}\n[ Start web-1 (101), web-2 (102) ] [ Cancel ]`,
      );
  });

  it('"why" in the thread of a card is what was done with it', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances restart web-1');
    const card = await slack.until(() =>
      slack.channel('#ops').messages.find((one) => slack.read(one).includes('Restarted web-1 (101)')),
    );
    expect(await says(sandbox, 'why?', { thread: card.ts })).toContain('I read that as "history web-1".');
  });
});

describe('after an answer that listed several, outside of a thread', () => {
  it.each(['start them', 'start all of them', 'start those', 'could you start all three of them'])(
    'offers by "%s" just those, and begins nothing',
    async (line) => {
      const sandbox = await play();
      await says(sandbox, 'list status:stopped');
      expect(await says(sandbox, line)).toBe(
        `${NOTHING_YET}\n[ Start staging (104), never-starts (201), twins (213) ] [ Cancel ]`,
      );
      expect(powerCalls(sandbox)).toBe(0);
    },
  );

  it('asks which are meant by "both" of three, and by "it"', async () => {
    const sandbox = await play();
    await says(sandbox, 'list status:stopped');
    const each = '[ Start staging (104) ] [ Start never-starts (201) ] [ Start twins (213) ]';
    expect(await says(sandbox, 'start both of these')).toContain(each);
  });

  it.each(["don't start them", 'should I start them?', 'did somebody start them', 'start them if it helps'])(
    'offers nothing by "%s"',
    async (line) => {
      const sandbox = await play();
      await says(sandbox, 'list status:stopped');
      expect(await says(sandbox, line)).not.toMatch(/\[ Start \w/);
    },
  );

  it('means by "them" nothing that another answer came after, and nothing that somebody else was shown', async () => {
    const sandbox = await play();
    await says(sandbox, 'list status:stopped');
    expect(await says(sandbox, 'start them', { who: 'bob' })).not.toContain('staging');
    await says(sandbox, 'list');
    expect(await says(sandbox, 'stop them')).not.toContain('staging (104)');
  });
});

it.each(['can somebody approve this', 'can someone approve it', 'could anyone please approve that'])(
  '"%s" is answered with what waits for an approval',
  async (line) => {
    expect(await says(await play(), line)).toContain('I read that as "approvals".');
  },
);

describe('who asks what a stop would bring', () => {
  const roles = { env: { LAMPLIGHTER_EVERYONE: 'finance' } };
  it.each([
    ['what would stopping db-1 save', 'I read that as "buy-time'],
    ['how much do we save by stopping db-1', 'I read that as "buy-time'],
    ['what if we stop db-1', 'With that, the balance lasts until'],
    ['if we stop db-1', 'Cost: 210 credits a day'],
    ["what if we don't stop db-1", 'I can\'t read "don\'t" there.'],
  ])('reads it in the finance role: "%s"', async (line, part) => {
    const sandbox = await play(roles);
    const answer = await says(sandbox, line, { who: 'ana' });
    expect(answer).toContain(part);
    expect(answer).not.toContain('[ Stop db-1');
  });

  it('reads what it would do, where they may do it, and begins nothing', async () => {
    const sandbox = await play();
    expect(await says(sandbox, 'if we stop db-1')).toContain('I read that as "stop db-1 --dry-run".');
    expect(await says(sandbox, 'what if we stop db-1')).toContain('With that, the balance lasts until');
    expect(powerCalls(sandbox)).toBe(0);
  });
});
