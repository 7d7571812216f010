import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { parseOptions, statementWords } from '../../src/features/billing/transactions/options.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { answerTo, play } from '../support/sandbox.ts';

const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };

const asked = (sandbox: Sandbox, words: string): Promise<string> =>
  answerTo(sandbox, 'fin', `/billing transactions ${words}`);

/** A sandbox in which `act` was done before the bot looked for the first time. */
async function playAfter(act: (sandbox: Sandbox) => void, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await play({ ...options, env: FINANCE, bot: false });
  act(sandbox);
  await sandbox.startBot();
  return sandbox;
}

describe('/billing transactions --instance', () => {
  it('finds a deleted instance by its id, and says that it is gone', async () => {
    const sandbox = await playAfter(({ hosting }) => hosting.removeInstance(102));
    const gone = await asked(sandbox, '--instance 102 --last 3d');
    expect(gone).toMatch(
      /^3 transactions of the last 3d of instance 102, which is not in the list of instances any more/,
    );
    expect(gone).toContain('Daily charge: web-2');
    expect(gone).not.toContain('web-1');
    expect(await asked(sandbox, '--instance web-2 (102) --last 3d')).toContain('of web-2 (102), which');
    expect(await asked(sandbox, '--instance web-2 (102) --last 3d --csv')).toContain(
      'Only those of the last 3d, of web-2 (102), which is not in the list of instances any more are in it.',
    );
  });

  it('takes the id of one that is gone for that, though another that is there is called so', async () => {
    const instances = [instance(1, 'web-1'), instance(2, '1-web')];
    const sandbox = await playAfter(({ hosting }) => hosting.removeInstance(1), {
      hosting: { world: { customers: [customer('harbour', { instances, historyDays: 3 })] } },
    });
    expect(await asked(sandbox, '--instance 1')).toContain('of instance 1, which is not in the list');
    expect(await asked(sandbox, '--instance 1-w')).toContain('of 1-web (2), newest first');
  });

  it('takes no word for the name of one that is gone', async () => {
    const sandbox = await playAfter(({ hosting }) => hosting.removeInstance(102));
    // Both stand in descriptions of what it cost.
    for (const word of ['web-2', 'budget']) {
      const no = await asked(sandbox, `--instance ${word}`);
      expect(no).toContain(`There is no instance "${word}".`);
      expect(no).toContain('One that is gone is found by its id.');
    }
  });
});

describe('/billing transactions --type', () => {
  it.each(['"daily charge"', 'daily charge', 'daily_charge', 'DAILY-CHARGE'])(
    '%s means what the table calls daily charge',
    async (type) => {
      const sandbox = await play({ env: FINANCE });
      const text = await asked(sandbox, `--type ${type} --last 2d`);
      expect(text).toMatch(/daily charge +\|/);
      expect(text).not.toContain('addon charge');
    },
  );

  it('refuses a type that there is none of, with those there are', async () => {
    const sandbox = await play({ env: FINANCE });
    expect(await asked(sandbox, '--type holiday')).toBe(
      'There is no type "holiday". The types are: purchase, daily charge, addon charge, adjustment.',
    );
    expect(await asked(sandbox, '--type adjustment --last 1d')).toBe('There are no such transactions.');
  });
});

describe('the options', () => {
  test('of any words are read or refused', () => {
    const word = fc.oneof(fc.constantFrom('--type', '--instance', '--from', '--trail', '--csv'), fc.string());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        try {
          parseOptions(words);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });

  test('that a button keeps are those it was made with', () => {
    const place = fc.record(
      { page: fc.integer({ min: 1, max: 9_999 }), after: fc.string() },
      { requiredKeys: ['page'] },
    );
    // A value that begins with dashes was refused when it was typed.
    const value = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('-'));
    const typed = fc.record({ last: value, type: value, instance: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(typed, place, fc.array(place, { maxLength: 3 }), (filters, from, trail) => {
        const options = { ...filters, from: { page: 1 }, trail: [] };
        expect(parseOptions(statementWords(options, from, trail))).toEqual({ ...filters, from, trail });
      }),
    );
  });
});
