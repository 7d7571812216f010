import { readFileSync } from 'node:fs';

/** A line that somebody types, and what it must lead to. */
export interface TypedLine {
  readonly line: string;
  readonly kind: string;
  /** Commands, of which one must be what it leads to: `-` for none, `?` in place of a name for a question. */
  readonly expected: readonly string[];
  /** Verbs that must not be offered. */
  readonly never: readonly string[];
  /** What the thread is about in which it is typed: a name, or "restart of web-1". */
  readonly thread: string;
  readonly hasAccounts: boolean;
}

const part = (note: string, name: string): string =>
  note
    .split('; ')
    .find((one) => one.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? '';

/** Those of a file of this folder: columns sentence, kind, expected and note, each note of the form `also: a | b; never: c`. */
export function readLines(file: string): readonly TypedLine[] {
  const [, ...rows] = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return rows.map((row) => {
    const [line = '', kind = '', expected = '', note = ''] = row.split('\t');
    return {
      line: line.replaceAll(String.raw`\n`, '\n'),
      kind,
      expected: [expected, ...part(note, 'also').split(' | ')].filter((one) => one !== ''),
      never: part(note, 'never')
        .split(', ')
        .filter((one) => one !== ''),
      thread: part(note, 'thread'),
      hasAccounts: note.includes('accounts: '),
    };
  });
}
