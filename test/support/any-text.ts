import fc from 'fast-check';

const LAST = 0x10ffff;
/** Halves of a pair, which are no characters. */
const FIRST_HALF = 0xd800;
const HALVES = 0x800;

const character = fc.nat(LAST - HALVES).map(
  (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not one character');
    return code < FIRST_HALF ? code : code - HALVES;
  },
);

/**
 * Texts of any characters, and words that JavaScript itself means something by. fast-check's own `unit: 'binary'` gives the
 * same, and keeps a map of all 1.1 million characters for it: a second and 80 MB of every worker.
 */
export function anyText(
  length: Pick<fc.StringConstraints, 'minLength' | 'maxLength'> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: character });
}
