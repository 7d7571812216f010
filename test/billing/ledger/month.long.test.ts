import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../../sandbox/world.ts';
import { says } from '../../sentences/says.ts';
import { playLedger } from '../../support/ledger.ts';
import { privateMessage } from '../../support/sandbox.ts';
import { filled, open } from './of-october.ts';

describe('/billing month', () => {
  it('answers who asks what a month cost, and leads on to its transactions', async () => {
    const play = await playLedger({
      hosting: {
        world: worldOf([instance(101, 'web-1', { dailyCredits: 10, createdDaysAgo: 90 })], {
          historyDays: 70,
        }),
      },
    });
    await play.filled();
    const { slack } = play.sandbox;
    const text = await says(play.sandbox, 'what did we spend last month?', { who: 'fin' });
    expect(text).toMatch(/^\w+ \d{4} (?:has )?cost [1-3]\d0 credits/);
    expect(text).toMatch(/\[ Transactions \]/);
    const answer = slack.channel('#ops').ephemeralFor('fin').at(-1);
    if (!answer) throw new Error('nothing was said');
    await slack.person('fin').presses(answer, 'Transactions');
    await privateMessage(play.sandbox, 'fin', 'daily charge');
  });

  it('leads on to the transactions where there are no figures yet', async () => {
    // What a sentence says of time goes by the real clock.
    const { sandbox } = await open({ hosting: { clock: Date.now } });
    const mend = sandbox.hosting.failNext({ method: 'GET', path: /transactions/ }, 503, 10_000);
    await sandbox.startBot();
    const text = await says(sandbox, 'what did we spend last month?', { who: 'fin' });
    expect(text).toContain('I have no figures by month yet');
    mend();
    const answer = sandbox.slack.channel('#ops').ephemeralFor('fin').at(-1);
    if (!answer) throw new Error('nothing was said');
    await sandbox.slack.person('fin').presses(answer, 'Transactions');
    await privateMessage(sandbox, 'fin', 'transactions of ');
  });

  it('says what it can not read and what there is none of, and what to type', async () => {
    const asks = await filled(await open());
    for (const [words, why] of [
      ['oktober', `I don't know a month called "oktober".`],
      ['october november', `I don't know "november" here.`],
      ['by color', 'I can show a month by instance, by type, by group, or by a label of instances'],
      ['2027-01', "January 2027 hasn't begun."],
    ]) {
      const text = await asks(`/billing month ${words}`);
      expect(text, words).toContain(why);
      expect(text, words).toContain('Type a month as october, 2026-10 or last month');
    }
    expect(await asks('/billing month october by label:team')).toContain(
      'This hosting service tells no labels',
    );
    expect(await asks('/billing month by group')).toContain(
      'There are no groups of costs yet. The person who runs the bot can name them under costgroups in the policy file, as in web: name:web-*.',
    );
    expect(await asks('/billing month october')).not.toContain('By group');
  });
});
