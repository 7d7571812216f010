import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  visit,
  type CST,
  type Document,
  type YAMLError,
} from 'yaml';
import { z } from 'zod';

/** What is wrong with a file, as a sentence, and the line where it stands. */
export interface FileFault {
  readonly line: number;
  readonly what: string;
  /** Undefined where the line says enough. */
  readonly column?: number;
}

/** A file's content: maps, lists and texts. A number or a yes is a text as well: an id of digits stays what it is. */
export interface ReadYaml {
  readonly value: unknown;
  /** The line where the value at a path stands, or, with `key`, that key of it. */
  lineOf(path: readonly PropertyKey[], key?: string): number;
  /** The same, with the column. */
  placeOf(path: readonly PropertyKey[], key?: string): { readonly line: number; readonly column: number };
}

/** Deeper than anybody writes, and far less than what a reader by recursion takes. */
const MAX_DEPTH = 50;
const QUOTE_A_STAR = 'A text that begins with * needs quotation marks, as in "*-vault".';

/** Reads one YAML document. Pure, and never throws: whatever the text, it gives the value or what is wrong with it. */
export function readYaml(text: string): ReadYaml | { readonly faults: readonly FileFault[] } {
  const deep = tooDeep(text);
  if (deep !== undefined)
    return { faults: [{ line: deep, what: 'this is nested deeper than a policy can be.' }] };
  const unclosed = unclosedBracket(text);
  if (unclosed) return { faults: [unclosed] };
  const lines = new LineCounter();
  const lineAt = (offset: number): number => placeAt(offset).line;
  const placeAt = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const faults = [
    ...[...document.errors, ...document.warnings].map((error) => ({
      ...placeAt(error.pos[0]),
      what: sentenceOf(error),
    })),
    ...faultsInside(document, lineAt),
  ];
  if (faults.length > 0) return { faults };
  try {
    const value: unknown = document.toJS();
    const placeOf: ReadYaml['placeOf'] = (path, key) => placeAt(offsetOf(document, path, key));
    return { value, placeOf, lineOf: (path, key) => placeOf(path, key).line };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    // The library counts what aliases unfold to, and stops.
    return { faults: [{ line: 1, what: 'its aliases unfold to too much.' }] };
  }
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);
/** How the lexer marks a list or a map in brackets that ends without its bracket. */
const ENDS_OPEN = '\u0018';
/** How it marks what follows, which is no part of the text. */
const MARKS = new Set(['\u0002', '\u001F', ENDS_OPEN]);

/** The first bracket that stays open, where one does: what the library says of it is the line where it noticed. */
function unclosedBracket(text: string): FileFault | undefined {
  const open: { readonly bracket: string; readonly line: number }[] = [];
  let line = 1;
  const fault = (): FileFault | undefined => {
    const last = open.at(-1);
    const closing = CLOSING.get(last?.bracket ?? '');
    return (
      last && {
        line: last.line,
        what: `this ${last.bracket} is never closed: a ${closing ?? ''} is missing.`,
      }
    );
  };
  for (const token of new Lexer().lex(text)) {
    if (CLOSING.has(token)) open.push({ bracket: token, line });
    else if (token === ENDS_OPEN && open.length > 0) return fault();
    else if (token === '}' || token === ']') {
      if (CLOSING.get(open.at(-1)?.bracket ?? '') !== token && open.length > 0) return fault();
      open.pop();
    }
    if (!MARKS.has(token)) line += token.split('\n').length - 1;
  }
  return fault();
}

/** The line where the text is nested too deeply, if it is. Without recursion, so that no depth ends the process. */
function tooDeep(text: string): number | undefined {
  const lines = new LineCounter();
  const open: [CST.Token, number][] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) open.push([token, 0]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [token, depth] = next;
    if (depth > MAX_DEPTH) return lines.linePos(token.offset).line;
    const within = [
      ...('items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []),
      'value' in token ? token.value : undefined,
    ];
    for (const one of within) if (one) open.push([one, depth + 1]);
  }
  return undefined;
}

/** What the library finds, by its kind alone: its own words quote the file, and a file may hold keys. */
const KINDS: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  ALIAS_PROPS: 'an alias (*) can have no tag (!) and no anchor (&)',
  BAD_DIRECTIVE: 'a line that begins with % is not understood',
  BAD_DQ_ESCAPE: 'this is no escape that a text in double quotes can have; single quotes need none',
  BAD_INDENT: 'this is not indented as what it belongs to',
  BAD_PROP_ORDER: 'a tag (!) or an anchor (&) stands in the wrong place',
  BAD_SCALAR_START: 'a text can not begin so; put it in quotation marks',
  BLOCK_AS_IMPLICIT_KEY: 'a list or a map stands where a text belongs; quotation marks make it one',
  BLOCK_IN_FLOW: 'what is in brackets can have no lines with - or key: of their own',
  KEY_OVER_1024_CHARS: 'this key is too long',
  MISSING_CHAR: 'a character is missing: a colon, a comma, a space or a closing quotation mark',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line',
  MULTIPLE_ANCHORS: 'this has two anchors (&)',
  MULTIPLE_TAGS: 'this has two tags (!)',
  TAB_AS_INDENT: 'a tab stands where only spaces can',
  TAG_RESOLVE_FAILED: 'a text that begins with ! needs quotation marks',
  UNEXPECTED_TOKEN: 'this can not stand here; a text with special characters needs quotation marks',
};

function sentenceOf({ code }: YAMLError): string {
  if (code === 'DUPLICATE_KEY') return 'this key stands here twice.';
  if (code === 'BAD_ALIAS') return QUOTE_A_STAR;
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; there can be one.';
  const kind = KINDS[code];
  return kind === undefined ? 'this is not valid YAML.' : `this is not valid YAML: ${kind}.`;
}

/** What the library takes and a policy doesn't: aliases of nothing or of themselves, and keys that are no text. */
function faultsInside(document: Document, lineAt: (offset: number) => number): FileFault[] {
  const faults: FileFault[] = [];
  visit(document, {
    Alias: (_key, alias, path) => {
      const target = alias.resolve(document);
      const line = lineAt(alias.range?.[0] ?? 0);
      if (!target) faults.push({ line, what: QUOTE_A_STAR });
      else if (path.includes(target))
        faults.push({ line, what: 'this alias is a part of what it stands for.' });
    },
    Pair: (_key, { key }) => {
      if (isScalar(key) && key.value !== '__proto__') return;
      const line = lineAt(offsetIn(key));
      faults.push({ line, what: 'this key is no name.' });
    },
  });
  return faults;
}

/** Where the value at a path stands, or the nearest that there is around it. */
function offsetOf(document: Document, path: readonly PropertyKey[], key: string | undefined): number {
  let offset = offsetIn(document.contents);
  let node: unknown = document.contents;
  for (const step of key === undefined ? path : [...path, key]) {
    const at: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isMap(at)) {
      const pair = at.items.find((one) => isScalar(one.key) && one.key.value === step);
      if (!pair) return offset;
      // The key says where a value stands: the value may begin a line below.
      offset = offsetIn(pair.key);
      node = pair.value;
    } else if (isSeq(at) && typeof step === 'number' && at.items[step] !== undefined) {
      node = at.items[step];
      offset = offsetIn(node);
    } else return offset;
  }
  return offset;
}

function offsetIn(node: unknown): number {
  const range: unknown =
    node !== null && typeof node === 'object' && 'range' in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : 0;
}

/** A sentence's end for what is there and can't be: the subject is put before it. */
export const must = (be: string): { readonly error: z.core.$ZodErrorMap } => ({
  error: (issue) => {
    if (issue.code === 'unrecognized_keys') return undefined;
    return issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : `must be ${be}`;
  },
});
export const listOf = <Item extends z.ZodType>(item: Item, be: string): z.ZodArray<Item> =>
  z.array(item, must(be));
export const atLeastOne = <Item extends z.ZodType>(item: Item, be: string): z.ZodArray<Item> =>
  listOf(item, be).min(1, `must have at least one; leave it out if it is to limit nothing`);
