import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import {
  addonCalls,
  answeredWith,
  answerTo,
  deleteCalls,
  play,
  powerCalls,
  privateMessage,
} from '../../support/sandbox.ts';
import { withDays } from '../../support/ledger-days.ts';

const ADMIN = { LAMPLIGHTER_EVERYONE: 'admin' };
const admin = (): Promise<Sandbox> => play({ env: ADMIN });

/** Nothing that changes anything has been asked of the service. */
function expectUntouched(sandbox: Sandbox): void {
  expect([
    powerCalls(sandbox),
    deleteCalls(sandbox),
    addonCalls(sandbox, 'POST'),
    addonCalls(sandbox, 'DELETE'),
  ]).toEqual([0, 0, 0, 0]);
}

describe('what if', () => {
  it('says first until when the balance would last, then what each change brings', async () => {
    const sandbox = await withDays(42, { env: ADMIN });
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop web-*, add llm to db-1, top up 500');
    expect(text).toMatch(/^With that, the balance lasts until [A-Z].* instead of until [A-Z].*\.$/m);
    expect(text).toContain('• Stop web-1 (101), web-2 (102): saves 210 credits a day.');
    expect(text).toContain('• Add llm to db-1 (105): costs 45 credits a day more.');
    expect(text).toContain('• Top up: 500 credits more.');
    expect(text).toMatch(/Balance +\| 6,300 credits +\| 6,800 credits/);
    expect(text).toMatch(/A day costs +\| 677 credits +\| 512 credits/);
    expect(text).toMatch(/Lasts +\| .*days.*\| .*days/);
    expect(text).toMatch(/[A-Z][a-z]+ comes to +\| .*credits.*\| .*credits/);
    expect(text).toMatch(/from 4[0-2] days of spending\. Nothing has been changed\./);
    expectUntouched(sandbox);
  });

  it.each([
    [
      {
        takes: ['its disk'],
        leaves: 'Its backups stay',
        inShort: 'Its disk goes.',
        atEndOf: 'its paid month',
      },
      'deletes nothing at once: an instance is canceled, and costs until the end of its paid month.',
    ],
    [{ notOffered: 'Servers are canceled in the console.' }, 'Servers are canceled in the console.'],
  ])('says that a deletion saves nothing where it is none at once: %j', async (deletion, said) => {
    const sandbox = await play({ env: ADMIN, adapter: { deletion } });
    const answer = await answerTo(sandbox, 'ana', '/billing what-if stop web-1, delete web-2');
    expect(answer).toContain(said);
    expect(answer).not.toContain('lasts');
  });

  it('below ten days says what it is at the cost of now, and no range', async () => {
    const sandbox = await withDays(9, { env: ADMIN });
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop db-1');
    expect(text).toMatch(/the balance lasts until about [A-Z].* instead of until about [A-Z]/);
    expect(text).toContain('I know what 9 days cost so far; I give a range from 10 days on.');
    expect(text).toMatch(/Lasts +\| about 9 days +\| about 13 days/);
    expect(text).not.toContain('comes to');
    expect(text).not.toContain('likely');
  });

  it('says of what is stopped already that it changes nothing, and offers no way into that', async () => {
    const sandbox = await admin();
    for (const line of ['/billing what if we stop staging?', '/billing what-if stop staging']) {
      const text = await answerTo(sandbox, 'ana', line);
      expect(text, line).toContain('• Stop: nothing changes. staging (104) is stopped already.');
      expect(text, line).toMatch(
        /^With that, the balance lasts as long as it does now: until about [A-Z].*\.$/m,
      );
      expect(text, line).not.toContain('Preview');
    }
  });

  it('is understood as a sentence to the bot', async () => {
    const sandbox = await admin();
    const { slack } = sandbox;
    await slack.person('ana').mentions('#ops', 'what if we stop web-* and db-1?');
    const text = slack.read(await privateMessage(sandbox, 'ana', 'With that'));
    expect(text).toContain('• Stop web-1 (101), web-2 (102): saves 210 credits a day.');
    expect(text).toContain('• Stop db-1 (105): saves 210 credits a day.');
  });

  it('reads a comma between filters as one between changes', async () => {
    const text = await answerTo(await admin(), 'ana', '/billing what-if stop name:web-1,web-2, name:db-*');
    expect(text).toContain('• Stop web-1 (101), web-2 (102): saves 210 credits a day.');
    expect(text).toContain('• Stop db-1 (105): saves 210 credits a day.');
  });

  it('counts the add-ons of what is deleted, and what a start costs by its details', async () => {
    const text = await answerTo(await admin(), 'ana', '/billing what-if delete db-1, start staging');
    expect(text).toContain('• Delete db-1 (105): saves 222 credits a day.');
    expect(text).toContain('• Start staging (104): costs 60 credits a day more.');
  });

  it('does not count an add-on that nobody has, and says so', async () => {
    const text = await answerTo(await admin(), 'ana', '/billing what-if add storage to web-1');
    expect(text).toContain(
      "• Add storage to web-1 (101): what that changes is unknown, so it isn't counted.",
    );
    expect(text).toMatch(/A day costs +\| 677 credits +\| 677 credits/);
  });

  it('says how a protected one is stopped', async () => {
    const sandbox = await play({ env: { ...ADMIN, LAMPLIGHTER_PROTECTED: 'web-1' } });
    expect(await answerTo(sandbox, 'ana', '/billing what-if stop web-*')).toContain(
      '1 of them is protected: counted here, but stopped or started only one at a time.',
    );
  });
});

describe('a service that', () => {
  const saying = async (body: object): Promise<Sandbox> => {
    const sandbox = await admin();
    sandbox.hosting.breakBalance('harbour', {
      answer: 200,
      done: true,
      body: JSON.stringify({ data: body }),
    });
    return sandbox;
  };

  it('counts less in all than the changes save gets no word on how long it lasts', async () => {
    const sandbox = await saying({ claws_balance: 900, daily_claw_cost: 50 });
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop db-1');
    expect(text).toContain("I can't say how long the balance lasts with that");
    expect(text).toContain('• Stop db-1 (105): saves 210 credits a day.');
    expect(text).not.toContain('With that |');
    expect(text).not.toContain('negative');
  });

  it('does not say what a day costs leaves that unknown', async () => {
    const sandbox = await saying({ claws_balance: 900 });
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop db-1, top up 100');
    expect(text).toMatch(/^With that, the balance: the service does not say what a day costs/m);
    expect(text).toMatch(/Balance +\| 900 credits +\| 1,000 credits/);
    expect(text).toMatch(/A day costs +\| unknown +\| unknown/);
  });

  it('tops up by itself is told of without that', async () => {
    const sandbox = await play({ env: { ...ADMIN, BILLING_AUTO_TOPUP: 'yes' } });
    expect(await answerTo(sandbox, 'ana', '/billing what-if stop db-1')).toMatch(
      /^With that, and without automatic top-ups, the balance lasts until about .* instead of until about /m,
    );
  });

  it('has nothing left says so, and until when a top-up would last', async () => {
    const sandbox = await saying({ claws_balance: 0, daily_claw_cost: 100 });
    expect(await answerTo(sandbox, 'ana', '/billing what-if top up 500')).toMatch(
      /^With that, the balance: about 5 days left, empty .*\. Now: nothing is left\.$/m,
    );
  });
});

describe('the way into each change', () => {
  it.each([
    ['stop web-*', 'Preview stopping web-*…', 'Stop 2 instances?'],
    ['stop web-1', 'Preview stopping web-1 (101)…', 'It was picked to save credits'],
    ['stop web-1 and 101', 'Preview stopping web-1 (101)…', 'It was picked to save credits'],
    ['start staging', 'Preview starting staging (104)…', 'This was a dry run'],
    ['add llm to db-1', 'Preview adding llm to db-1 (105)…', 'Add llm to db-1 (105)?'],
  ])('of "%s" is its question, and begins nothing', async (words, label, question) => {
    const sandbox = await admin();
    const answer = await answeredWith(sandbox, 'ana', `/billing what-if ${words}`);
    await sandbox.slack.person('ana').presses(answer, label);
    await privateMessage(sandbox, 'ana', question);
    await sandbox.settled();
    expectUntouched(sandbox);
  });

  it.each([
    ['delete db-1', 'Preview deleting db-1 (105)…', 'Delete an instance'],
    ['remove backup from db-1', 'Preview removing backup from db-1 (105)…', 'Remove an add-on'],
  ])('of "%s" asks for a word first', async (words, label, title) => {
    const sandbox = await admin();
    const ana = sandbox.slack.person('ana');
    await ana.presses(await answeredWith(sandbox, 'ana', `/billing what-if ${words}`), label);
    await sandbox.slack.until(() => ana.views.some((view) => sandbox.slack.readView(view).includes(title)));
    expectUntouched(sandbox);
  });

  it('is not there for who may not go it', async () => {
    const finance = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
    const text = await answerTo(finance, 'fin', '/billing what-if stop web-*');
    expect(text).toContain('saves 210 credits a day');
    expect(text).not.toContain('Preview');
  });

  it('is also the form of a schedule where several would be stopped', async () => {
    const text = await answerTo(await admin(), 'ana', '/billing what-if stop web-*');
    expect(text).toContain('[ Preview stopping web-*… ] ⋯ [ New schedule… ]');
  });
});

describe('somebody who', () => {
  it('names nothing that is there reads which word it was', async () => {
    const sandbox = await admin();
    expect(await answerTo(sandbox, 'ana', '/billing what-if stop zeppelin, top up 5')).toContain(
      'There is no instance "zeppelin".',
    );
    expect(await answerTo(sandbox, 'ana', '/billing what-if stop zep-*')).toContain(
      'No instance matches name:zep-*.',
    );
    expect(await answerTo(sandbox, 'ana', '/billing what-if polish web-1')).toContain(
      `I can't read "polish" there.`,
    );
  });
});
