import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { findPast, type Trace } from '../../src/features/billing/transactions/past-instance.ts';
import { parseOptions, wordsOf } from '../../src/features/billing/transactions/options.ts';
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
  it('finds a deleted instance by its id and by its last name, and says that it is gone', async () => {
    const sandbox = await playAfter(({ hosting }) => hosting.removeInstance(102));
    const named = await asked(sandbox, '--instance web-2 --last 3d');
    expect(named).toMatch(
      /^3 transactions of the last 3d of web-2 \(102\), which is not in the list of instances any more, newest first/,
    );
    expect(named).toContain('Daily charge: web-2');
    expect(named).not.toContain('web-1');
    expect(await asked(sandbox, '--instance 102 --last 3d')).toMatch(
      /^3 transactions of the last 3d of instance 102, which is not in the list of instances any more/,
    );
    expect(await asked(sandbox, '--instance web-2 (102) --last 3d')).toContain('of web-2 (102), which');
    expect(await asked(sandbox, '--instance web-2 --last 3d --csv')).toContain(
      'Only those of the last 3d, of web-2 (102), which is not in the list of instances any more are in it.',
    );
  });

  it('takes the name of one that is gone for that, though another that is there begins with it', async () => {
    const instances = [instance(1, 'web-2'), instance(2, 'web-20')];
    const sandbox = await playAfter(({ hosting }) => hosting.removeInstance(1), {
      hosting: { world: { customers: [customer('harbour', { instances, historyDays: 3 })] } },
    });
    expect(await asked(sandbox, '--instance web-2')).toContain('of web-2 (1), which is not in the list');
    expect(await asked(sandbox, '--instance web')).toContain('of web-20 (2), newest first');
  });

  it('never guesses between two that are gone, and takes no other word for a name', async () => {
    const sandbox = await playAfter(({ hosting }) => {
      hosting.recreateInstance(102, 1_102);
      hosting.passDays(1);
      hosting.removeInstance(1_102);
    });
    expect(await asked(sandbox, '--instance web-2')).toBe(
      '2 instances that are gone were called "web-2": 1102, 102. Ask for one by its id, as in --instance 1102.',
    );
    // Its tier stands in every description of what it cost.
    expect(await asked(sandbox, '--instance budget')).toMatch(
      /^There is no instance "budget"\.\nIt's in none of the newest \d+ transactions\.\nName or id, such as web-1: \[/,
    );
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

describe('whom a name means by the transactions', () => {
  const one = (instanceId: string | undefined, description: string): Trace => ({
    description,
    ...(instanceId === undefined ? {} : { instanceId }),
  });

  test.each<[string, Trace[], unknown]>([
    ['web-2', [one('7', 'Daily charge: web-2 (pro)')], { found: 'one', id: '7', name: 'web-2' }],
    ['WEB-2', [one('7', 'Daily charge: web-2 (pro)')], { found: 'one', id: '7', name: 'WEB-2' }],
    ['web', [one('7', 'Daily charge: web-2 (pro)')], { found: 'none' }],
    ['web-2', [one('7', 'Daily charge: my-web-2')], { found: 'none' }],
    ['7', [one('7', 'Daily charge: web-2')], { found: 'one', id: '7', name: undefined }],
    ['web-3 (9)', [one('7', 'Daily charge: web-3 (9)')], { found: 'none' }],
    ['llm', [one('7', 'Add-on llm: web-2'), one('1', 'Add-on llm: web-1')], { found: 'none' }],
    ['llm', [one('7', 'Add-on llm: web-2'), one(undefined, 'Add-on llm: by use')], { found: 'none' }],
    ['a', [one('7', 'x: a'), one('8', 'x: a')], { found: 'several', ids: ['7', '8'] }],
    ['', [one('7', 'x: a')], { found: 'none' }],
  ])('%j in %j', (typed, traces, found) => expect(findPast(typed, traces, [{ id: '1' }])).toEqual(found));

  test('whatever was typed and written, it is one whose own transactions say so', () => {
    const text = fc.string({ maxLength: 12 });
    const trace = fc.record({ instanceId: fc.constantFrom('7', '8', '1', ''), description: text });
    fc.assert(
      fc.property(text, fc.array(trace, { maxLength: 6 }), (typed, traces) => {
        const past = findPast(typed, traces, [{ id: '1' }]);
        if (past.found !== 'one') return;
        const own = traces.filter(({ instanceId }) => instanceId === past.id);
        // Spaces around a name mean nothing.
        const name = typed.trim().toLowerCase();
        const has = name !== '' && own.some(({ description }) => description.toLowerCase().includes(name));
        expect(own.length > 0 && (past.id === typed || has || typed.endsWith(`(${past.id})`))).toBe(true);
      }),
    );
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
        expect(parseOptions(wordsOf(options, from, trail))).toEqual({ ...filters, from, trail });
      }),
    );
  });
});
