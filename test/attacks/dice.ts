/** Chance that comes out the same every time: a failing round can be played again by its seed. */
export interface Dice {
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
}

/** Mulberry32: small, fast, and good enough to break things with. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  return {
    below,
    pick: (from) => {
      const one = from[below(from.length)];
      if (one === undefined && from.length === 0) throw new Error('nothing to pick from');
      return one as (typeof from)[number]; // the index is within the list
    },
    oneIn: (times) => below(times) === 0,
  };
}

/** Texts that mean something to somebody between a service and a person's screen. */
export const NASTY_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\r\nx-evil: 1',
  '\u2028',
  '\u202Eevil',
  '\uD800',
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e400',
  '../../admin',
  '..',
  '%2e%2e',
  'a#f',
  'a?x',
  '//evil.test/',
  'https://evil.test/x',
  '<!channel>',
  '<@U012AB>',
  '<#C012AB|x>',
  '<https://evil.test|Pay>',
  '&lt;!here&gt;',
  '*bold* `code` :fire:',
  '<html><body>Welcome</body></html>',
  'running',
  '漢😀',
  'x'.repeat(5_000),
];

const NASTY_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  2 ** 60,
  1e21,
  1e308,
  [],
  {},
  [[]],
  [null],
  { id: null },
  { toString: 1, valueOf: 1 },
  { length: 5 },
  ...NASTY_TEXTS,
];

type Json = Record<string, unknown>;

/** A copy of its own: what one round changes must not reach the next. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

/** A name as JSON.parse would set it, `__proto__` included, which `=` would not. */
function put(into: Json | unknown[], name: string | number, value: unknown): void {
  Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
}

/** JSON with one to four of its parts replaced, dropped, doubled, renamed, buried or poisoned. */
export function mutateJson(dice: Dice, given: unknown): unknown {
  const root: [unknown] = [copyOf(given)];
  for (let changes = 1 + dice.below(4); changes > 0; changes--) mutateOnce(dice, root);
  return root[0];
}

function mutateOnce(dice: Dice, root: [unknown]): void {
  let parent: Json | unknown[] = root;
  let name: string | number = 0;
  // Mostly deep down, where the fields are.
  for (;;) {
    const here: unknown = (parent as Json)[name];
    const names = typeof here === 'object' && here !== null ? Object.keys(here) : [];
    if (names.length === 0 || dice.oneIn(6)) break;
    parent = here as Json;
    name = dice.pick(names);
  }
  const here = (parent as Json)[name];
  switch (dice.below(8)) {
    case 0:
      if (parent !== root) Reflect.deleteProperty(parent, name);
      break;
    case 1:
      put(
        parent,
        name,
        Array.from({ length: dice.below(4) }, () => here),
      );
      break;
    case 2:
      put(parent, name, { [dice.pick(['data', 'id', 'items', 'error'])]: here });
      break;
    case 3:
      put(parent, dice.pick(['__proto__', 'constructor', 'prototype', 'toString']), {
        polluted: true,
        id: 1,
      });
      break;
    case 4:
      put(parent, dice.pick(['id', 'name', 'status', 'data', 'next_cursor', 'links', 'ok', 'error']), here);
      break;
    default:
      put(parent, name, copyOf(dice.pick(NASTY_VALUES)));
  }
}

/** A text with bytes changed, cut, doubled or put in: JSON that has been on a bad road. */
export function mutateText(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const end = at + dice.below(8);
  switch (dice.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return (
        text.slice(0, at) +
        dice.pick(['"', '}', ']', ',', '\\', '\0', 'NaN', '1e999', '\uFEFF']) +
        text.slice(at)
      );
    case 3:
      return text + text.slice(at);
    default:
      return text.slice(0, at) + String.fromCharCode(dice.below(65_536)) + text.slice(at + 1);
  }
}

/** An answer's text: the JSON changed as data, as text, or replaced by something that is none. */
export function mutateBody(dice: Dice, given: unknown): string {
  switch (dice.below(6)) {
    case 0:
      return mutateText(dice, JSON.stringify(given));
    case 1:
      return dice.oneIn(3)
        ? dice.pick([
            '',
            ' ',
            'null',
            '0',
            '"x"',
            '[]',
            '{}',
            'true',
            '<html></html>',
            '[[[[',
            '{"data":NaN}',
          ])
        : mutateText(dice, JSON.stringify(mutateJson(dice, given)));
    default:
      return JSON.stringify(mutateJson(dice, given)) ?? '';
  }
}
