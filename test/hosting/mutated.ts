import fc from 'fast-check';

/** A key that an answer repeats: it stands in nothing that is logged. */
export const ECHOED_KEY = 'a-key-that-an-answer-repeats';

type Path = readonly (string | number)[];

const MISSING = Symbol('missing');
const NEGATED = Symbol('negated');
const IN_A_LIST = Symbol('in a list');

const replacements: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(MISSING, NEGATED, IN_A_LIST, null, true, false, [], {}, ''),
  fc.constantFrom<unknown>('no-such-status', 'ACTIVE', ' running ', 'constructor', '__proto__', ECHOED_KEY),
  fc.constantFrom<unknown>({ [ECHOED_KEY]: 7 }, [ECHOED_KEY], { message: ECHOED_KEY }),
  fc.constantFrom<unknown>(-1, 0.1 + 0.2, 1e21, 1.5e-9, 15e18, 7.005, 0, -0.001),
  fc.constantFrom<unknown>('1e5', '-7.5', ' 5 ', '0x10', '1,000.00', '99999999999999999999.99', 'NaN'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A valid answer with one to three of its parts missing, null, of another type, huge, of the other sign or unknown. */
export function mutated(valid: unknown): fc.Arbitrary<unknown> {
  const mutation = fc.record({ at: fc.nat(), to: replacements });
  return fc.array(mutation, { minLength: 1, maxLength: 3 }).map((mutations) => {
    const odd = mutations.reduce<unknown>((value, { at, to }) => {
      const paths = pathsOf(value);
      return replaced(value, paths[at % paths.length] ?? [], to);
    }, valid);
    return odd === MISSING ? undefined : asJson(odd);
  });
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf(Object(value)[key], [...path, key]))];
}

function replaced(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to === NEGATED ? negated(value) : to === IN_A_LIST ? [value] : to;
  const next = replaced(Object(value)[first], rest, to);
  if (Array.isArray(value))
    return value.flatMap((one, at) => (at !== first ? [one] : next === MISSING ? [] : [next]));
  const entries = Object.entries(Object(value)).filter(([key]) => key !== first || next !== MISSING);
  return Object.fromEntries(entries.map(([key, one]) => [key, key === first ? next : one]));
}

function negated(value: unknown): unknown {
  if (typeof value === 'number') return -value;
  return typeof value === 'string' ? `-${value}` : value;
}

function asJson(value: unknown): unknown {
  const json: unknown = JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'symbol' ? undefined : one)) ?? 'null',
  );
  return json;
}

/** All texts and numbers of an answer, and the keys of its objects. */
export function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...leavesOf(one)]);
}
