import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, compare, negate, sum, toDecimal, ZERO } from '../../../src/core/money/amount.ts';
import { gainsOf } from '../../../src/features/billing/buy-time/messages.ts';
import {
  effectsOf,
  type Meant,
  type Priced,
  type PriceOf,
  totalOf,
} from '../../../src/features/billing/what-if/effect.ts';
import { RULE_RUNS } from '../../support/runs.ts';

const whole = (value: number): Amount => ({ units: BigInt(value), scale: 0 });
const PRICES: Readonly<Record<string, Amount>> = { backup: whole(12), llm: whole(45) };
const priceOf: PriceOf = (type) => (Object.hasOwn(PRICES, type) ? PRICES[type] : undefined);

function priced(
  id: string,
  over: Partial<Priced & { status: 'running' | 'stopped' | 'paused' }> = {},
): Priced {
  const { status = 'running', ...more } = over;
  return {
    instance: { id, name: `web-${id}`, status, statusWord: status, isPaidByDay: true, can: {} },
    running: whole(100),
    stopped: status === 'running' ? undefined : whole(30),
    addons: [],
    ...more,
  };
}

const of = (does: 'stop' | 'start' | 'delete', ...those: readonly Priced[]): Meant => ({
  does,
  names: [],
  those,
});
const ofAddon = (does: 'add' | 'remove', type: string, ...those: readonly Priced[]): Meant => ({
  does,
  type,
  names: [],
  those,
});

/** What a day costs more by all of them, as a decimal. */
const totalled = (...all: readonly Meant[]): string => toDecimal(totalOf(effectsOf(all, priceOf)).perDay);
const whyIdle = (...all: readonly Meant[]): string[] =>
  effectsOf(all, priceOf).flatMap(({ idle }) => idle.map(({ why }) => why));

describe('what changes bring a day', () => {
  const running = priced('1');
  const off = priced('2', { status: 'stopped' });
  const withBackup = priced('3', { addons: [{ id: '7', type: 'backup', perDay: whole(12) }] });

  it.each<[string, readonly Meant[], string]>([
    ['a stop saves all that it costs', [of('stop', running)], '-100'],
    ['a start costs what it costs more than stopped', [of('start', off)], '70'],
    ['a deletion of a stopped one saves what it costs stopped', [of('delete', off)], '-30'],
    ['a deletion saves its add-ons too', [of('delete', withBackup)], '-112'],
    [
      'a deletion after a stop saves what is left',
      [of('stop', withBackup), of('delete', withBackup)],
      '-112',
    ],
    ['an add-on costs what the service says', [ofAddon('add', 'backup', running)], '12'],
    ['an add-on that is removed saves what it costs', [ofAddon('remove', 'backup', withBackup)], '-12'],
    ['the same one named by its id', [ofAddon('remove', '7', withBackup)], '-12'],
    ['two that are named twice count once', [of('stop', running), of('stop', running)], '-100'],
  ])('%s', (_, all, perDay) => {
    expect(totalled(...all)).toBe(perDay);
  });

  it.each<[string, readonly Meant[]]>([
    ['stopped already', [of('stop', off)]],
    ['runs already', [of('start', running)]],
    ['not possible now', [of('stop', priced('4', { status: 'paused' }))]],
    ['not possible now', [of('start', priced('4', { status: 'paused' }))]],
    ['deleted by then', [of('delete', running), of('stop', running)]],
    [
      'not paid by the day',
      [of('stop', { ...running, instance: { ...running.instance, isPaidByDay: undefined } })],
    ],
    ['has it already', [ofAddon('add', 'backup', withBackup)]],
    ['has none', [ofAddon('remove', 'llm', withBackup)]],
    [
      'has several',
      [
        ofAddon('remove', 'backup', {
          ...withBackup,
          addons: [...withBackup.addons, { id: '8', type: 'backup', perDay: ZERO }],
        }),
      ],
    ],
  ])('what %s changes nothing', (why, all) => {
    expect(whyIdle(...all)).toEqual([why]);
  });

  it('what is unknown is not counted, and said', () => {
    const unknown = priced('5', { running: undefined });
    const [stop, add] = effectsOf([of('stop', running, unknown), ofAddon('add', 'cache', running)], priceOf);
    expect(stop).toMatchObject({ perDay: negate(whole(100)), unknown: [unknown] });
    expect(add).toMatchObject({ perDay: ZERO, unknown: [running] });
  });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((units): Amount => ({ units, scale: 2 }));
const instances = fc
  .array(
    fc.record({
      status: fc.constantFrom('running' as const, 'stopped' as const, 'paused' as const),
      running: fc.option(amount, { nil: undefined }),
      stopped: fc.option(amount, { nil: undefined }),
      backup: fc.option(amount, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ backup, status, running, stopped }, at) =>
      priced(`${at}`, {
        status,
        running,
        stopped: status === 'running' ? undefined : stopped,
        addons: backup ? [{ id: `a${at}`, type: 'backup', perDay: backup }] : [],
      }),
    ),
  );

describe('whatever they cost', () => {
  const check = (holds: (those: readonly Priced[]) => void): void => {
    fc.assert(fc.property(instances, holds), { numRuns: RULE_RUNS });
  };
  const isZero = (...all: readonly Meant[]): void => expect(totalled(...all).replace(/[.0]/g, '')).toBe('');

  it('effects of different instances add up', () => {
    check((those) => {
      for (const does of ['stop', 'start', 'delete'] as const) {
        const each = those.map((one) => totalOf(effectsOf([of(does, one)], priceOf)).perDay);
        const together = totalOf(effectsOf([of(does, ...those)], priceOf)).perDay;
        expect(compare(sum(each), together)).toBe(0);
      }
    });
  });

  it('a change and its reverse come to nothing', () => {
    check((those) => {
      const running = those.filter(({ instance }) => instance.status === 'running');
      const stopped = those.filter(({ instance }) => instance.status === 'stopped');
      isZero(of('stop', ...running), of('start', ...running));
      isZero(of('start', ...stopped), of('stop', ...stopped));
      isZero(ofAddon('add', 'llm', ...those), ofAddon('remove', 'llm', ...those));
      const backed = those.filter(({ addons }) => addons.length > 0);
      isZero(ofAddon('remove', 'backup', ...backed), ofAddon('add', 'backup', ...backed));
    });
  });

  it('a stop saves what buying time says that it saves', () => {
    check((those) => {
      const running = those.filter(({ instance }) => instance.status === 'running');
      const gains = gainsOf(
        { balance: whole(1), perDay: whole(1) },
        running.map(({ instance: { id, name }, running: perDay }) => ({ id, name, perDay })),
      );
      const saved = sum(gains.flatMap(({ perDay }) => perDay ?? []));
      expect(compare(negate(saved), totalOf(effectsOf([of('stop', ...running)], priceOf)).perDay)).toBe(0);
    });
  });
});
