import { requestKeys } from '../ask/ask.ts';

/** One thing that is written at a key. */
export interface Write {
  readonly kind:
    | 'record'
    | 'file'
    | 'unfile'
    | 'set'
    | 'field'
    | 'unfield'
    | 'use'
    | 'remove'
    | 'claim'
    | 'release'
    | 'push'
    | 'first'
    | 'keep'
    | 'trim';
  readonly key: string;
  readonly words: readonly (string | number)[];
}

/** A record under a new version, see versionAfter. `keptMs`: from now on; without, as long as before. */
export function record(key: string, version: string, text: string, keptMs?: number): Write {
  return { kind: 'record', key, words: [version, text, keptMs === undefined ? '' : Math.ceil(keptMs)] };
}

/** An id stands in an index by when its next step is due, Unix ms; infinity for one that waits for something else. */
export function file(index: string, id: string, dueAt: number): Write {
  return { kind: 'file', key: index, words: [id, Number.isFinite(dueAt) ? dueAt : '+inf'] };
}

/** An id stands in an index no more. */
export function unfile(index: string, id: string): Write {
  return { kind: 'unfile', key: index, words: [id] };
}

export function set(key: string, text: string, keptMs: number): Write {
  return { kind: 'set', key, words: [text, keptMs] };
}

/** One field beside the record at its key. */
export function field(key: string, name: string, text: string): Write {
  return { kind: 'field', key, words: [name, text] };
}

/** A field is there no more. */
export function unfield(key: string, name: string): Write {
  return { kind: 'unfield', key, words: [name] };
}

/** What can be used once is, by `by`, which is remembered for `keptMs`. */
export function use(key: string, by: string, keptMs: number): Write {
  return { kind: 'use', key, words: [by, keptMs] };
}

export function remove(key: string): Write {
  return { kind: 'remove', key, words: [] };
}

/** A lock is `holder`'s, unless somebody has it. */
export function claim(lock: string, holder: string, keptMs: number): Write {
  return { kind: 'claim', key: lock, words: [holder, keptMs] };
}

/** A lock is nobody's, if it was `holder`'s. */
export function release(lock: string, holder: string): Write {
  return { kind: 'release', key: lock, words: [holder] };
}

/** A list has a newest text; it keeps the newest `most`, and up to twice as many. */
export function push(list: string, text: string, most: number, keptMs: number): Write {
  return { kind: 'push', key: list, words: [text, most, keptMs] };
}

/** One of at most `most` fields is there; what was written there first stays. */
export function first(key: string, name: string, text: string, most: number): Write {
  return { kind: 'first', key, words: [name, text, most] };
}

/** A key is kept for so long (ms) from now on. */
export function keep(key: string, keptMs: number): Write {
  return { kind: 'keep', key, words: [keptMs] };
}

/** A stream begins with the entry of this id. */
export function trim(stream: string, firstKept: string): Write {
  return { kind: 'trim', key: stream, words: [firstKept] };
}

/** A request is open no more: it was begun, answered or taken back. */
export function forgetRequest(requestId: string): readonly Write[] {
  return [remove(requestKeys.request(requestId)), unfile(requestKeys.open, requestId)];
}
