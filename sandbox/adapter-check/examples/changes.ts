/** An answer in which one thing is not as the documentation shows it. */
export interface Change {
  readonly body: unknown;
  /** What was changed, and into what: `machines.0.state = "qzx"`. */
  readonly what: string;
  /** Set where it was made a word that no service has. */
  readonly word?: string;
}

/** A word that no service has. */
export const WORD = 'qzx-of-nobody';
/** The second is a name that every object has a value for. */
const WORDS = [WORD, 'constructor'];
const OTHERS: readonly unknown[] = [null, '', ' ', 1e21, -1, 0.5, true, [], [null], {}];

/** How many records of a list are changed, one after the other. */
const LOOKED_AT = 4;

type Path = readonly (string | number)[];

/** Each thing in a body missing, null, of other types, a huge number and an unknown word, one at a time. Pure. */
export function* changesOf(body: unknown): Generator<Change> {
  for (const path of pathsIn(body)) {
    const where = path.join('.') || 'the body';
    yield { body: changed(body, path), what: `${where} is missing` };
    for (const word of WORDS)
      yield { body: changed(body, path, { to: word }), what: `${where} = "${word}"`, word };
    for (const to of OTHERS)
      yield { body: changed(body, path, { to }), what: `${where} = ${JSON.stringify(to)}` };
  }
}

/** Of a long list the first few: its records are read alike. */
function* pathsIn(value: unknown, at: Path = []): Generator<Path> {
  yield at;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value))
    for (const [nth, inside] of value.slice(0, LOOKED_AT).entries()) yield* pathsIn(inside, [...at, nth]);
  else for (const [name, inside] of Object.entries(value)) yield* pathsIn(inside, [...at, name]);
}

/** A copy in which what stands at `path` is another value, or missing. */
function changed(value: unknown, [name, ...rest]: Path, other?: { readonly to: unknown }): unknown {
  if (name === undefined) return other?.to;
  const deeper = (inside: unknown): unknown => changed(inside, rest, other);
  const isGone = rest.length === 0 && !other;
  if (Array.isArray(value))
    return value.flatMap((inside: unknown, nth) =>
      nth !== name ? [inside] : isGone ? [] : [deeper(inside)],
    );
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([field, inside]: [string, unknown]) =>
      field !== name ? [[field, inside]] : isGone ? [] : [[field, deeper(inside)]],
    ),
  );
}
