import { describe, expect, it } from 'vitest';
import { BOT } from '../../sandbox/people.ts';
import { customer, instance } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, playTogether } from '../support/sandbox.ts';

const FLEET = [
  instance(101, 'web-1'),
  instance(102, 'web-2', { status: 'stopped' }),
  instance(103, 'db-1', { status: 'error' }),
];
const WORLD = { hosting: { world: { customers: [customer('acme', { instances: FLEET })] } } };

/** What somebody reads who mentions the bot in #ops and says these words. */
async function mentioned({ slack }: Sandbox, words: string, who = 'ana') {
  const interaction = await slack.person(who).mentions('#ops', words);
  const message = await slack.until(() => interaction.ephemeral[0]);
  return { message, text: slack.read(message) };
}

describe('a mention that says nothing', () => {
  const together = playTogether(WORLD);

  it('is answered with what is going on and four buttons, and not with the manual', async () => {
    const sandbox = await together();
    const { text } = await mentioned(sandbox, '', 'admin');
    expect(text).toMatch(/^3 instances: /);
    expect(text).toContain('• 🔴 db-1 (103) · error');
    expect(text).toContain('Nothing is in progress.');
    expect(text).toContain('[ List ] [ Balance ] [ Operations ] [ Help ]');
    expect(text).not.toContain('What you can do here');
    expect(text.split(/\s+/).length).toBeLessThan(60);
  });

  it.each(['hi', 'Hello!', 'good morning', 'hey there', 'hi lamplighter', 'hi :wave:', 'hey 👋', '?'])(
    'like "%s"',
    async (words) => {
      const sandbox = await together();
      expect((await mentioned(sandbox, words)).text).toMatch(/^3 instances: /);
    },
  );

  it('lists what is under way', async () => {
    const sandbox = await play({ ...WORLD, hosting: { ...WORLD.hosting, powerMs: 60_000 } });
    await sandbox.slack.person('bob').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => sandbox.slack.channel('#ops').messages.some(({ bot_id }) => bot_id));
    const { text } = await mentioned(sandbox, '');
    expect(text).toMatch(/One operation is in progress:\n• .*web-1 \(101\)/);
  });

  it.each([
    ['List', 'web-2 (102)'],
    ['Balance', 'credits'],
    ['Operations', 'Nothing is in progress.'],
    ['Help', 'Say it your way'],
  ])('leads on by %s', async (label, reads) => {
    const sandbox = await play(WORLD);
    const { slack } = sandbox;
    const { message } = await mentioned(sandbox, '', 'admin');
    await slack.person('admin').presses(message, label);
    await slack.until(() =>
      slack
        .channel('#ops')
        .ephemeralFor('admin')
        .some((one) => slack.read(one).includes(reads)),
    );
  });

  it('tells nobody what they may not see, and says who can help', async () => {
    const sandbox = await play({
      ...WORLD,
      env: { LAMPLIGHTER_ADMINS: 'U0ADA000001', LAMPLIGHTER_EVERYONE: 'none' },
    });
    const { text } = await mentioned(sandbox, '', 'bob');
    expect(text).toContain('You have no role here.');
    expect(text).toContain('[ Help ]');
    expect(text).not.toMatch(/web-|db-|List|Balance|Operations/);
  });
});

it('hello in the conversation with the bot is answered the same, for good', async () => {
  const sandbox = await play(WORLD);
  const { slack } = sandbox;
  const ana = slack.person('ana');
  for (const line of ['hi', `@${BOT.handle}`]) {
    const before = ana.dms.length;
    await ana.types('dm', line);
    const answer = await slack.until(() => ana.dms.slice(before).find(({ bot_id }) => bot_id !== undefined));
    expect(slack.read(answer)).toMatch(/^3 instances: /);
    expect(answer.ephemeralFor).toBeUndefined();
  }
});

it('words after hello are what is asked', async () => {
  const sandbox = await play(WORLD);
  expect((await mentioned(sandbox, 'hi, is db-1 ok?')).text).toContain('db-1 (103)');
  expect((await mentioned(sandbox, 'hello restart web-1')).text).toContain('[ Restart web-1 (101) ]');
});
