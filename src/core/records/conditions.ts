/** What must hold of a key, so that something is written. `code`: what is answered where it doesn't. */
export interface Condition<Code extends string> {
  readonly kind:
    | 'unchanged'
    | 'there'
    | 'absent'
    | 'same'
    | 'holds'
    | 'newest'
    | 'unused'
    | 'fewer'
    | 'among'
    | 'filed';
  readonly key: string;
  readonly code: Code;
  readonly wanted?: string | number;
  readonly name?: string;
}

/** The version of a record that is not there. */
export const NONE = '0';

/** A record still has the `version` at which it was read; NONE for one that was missing. Found: the version that stands. */
export function unchanged<Code extends string>(key: string, version: string, code: Code): Condition<Code> {
  return { kind: 'unchanged', key, code, wanted: version };
}

/** Something stands there. */
export function there<Code extends string>(key: string, code: Code): Condition<Code> {
  return { kind: 'there', key, code };
}

/** Nothing stands there. Found: the text that does. */
export function absent<Code extends string>(key: string, code: Code): Condition<Code> {
  return { kind: 'absent', key, code };
}

/** The text `wanted` stands there. Found: the one that does. */
export function same<Code extends string>(key: string, wanted: string, code: Code): Condition<Code> {
  return { kind: 'same', key, code, wanted };
}

/** The field `name` holds `wanted`; '' for one that is not there. Found: what it holds. */
export function holds<Code extends string>(
  key: string,
  name: string,
  wanted: string,
  code: Code,
): Condition<Code> {
  return { kind: 'holds', key, code, wanted, name };
}

/** A list still has this newest text, as it was read; '' for one that has none. Found: the one that it has. */
export function newest<Code extends string>(list: string, text: string, code: Code): Condition<Code> {
  return { kind: 'newest', key: list, code, wanted: text };
}

/** What can be used once has not been. Found: by what it was. */
export function unused<Code extends string>(key: string, code: Code): Condition<Code> {
  return { kind: 'unused', key, code };
}

/** An index holds this one. */
export function filed<Code extends string>(index: string, id: string, code: Code): Condition<Code> {
  return { kind: 'filed', key: index, code, wanted: id };
}

/** An index holds fewer than `most`. */
export function fewer<Code extends string>(index: string, most: number, code: Code): Condition<Code> {
  return { kind: 'fewer', key: index, code, wanted: most };
}

/** An index holds no other than these. Found: the first that it does. */
export function among<Code extends string>(
  index: string,
  ids: readonly string[],
  code: Code,
): Condition<Code> {
  return { kind: 'among', key: index, code, wanted: JSON.stringify(ids) };
}
