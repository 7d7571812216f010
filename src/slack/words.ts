/**
 * Reading what a person typed. Phones and Slack mangle text, so it is un-mangled before it is split
 * (product.md section 1).
 */
export type Words = { readonly words: readonly string[]; readonly unmatchedQuote: boolean };

const LONGEST_LINE = 3_000;
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;

/** A typed line as words. Quoted words keep their spaces; an unmatched quote is told, not guessed at. */
export function splitWords(line: string): Words {
  return split(unmangle(line.slice(0, LONGEST_LINE)));
}

/** Slack's escapes, links, curly quotes, dashes and invisible characters back to what was typed. */
export function unmangle(line: string): string {
  return line
    .replace(/<([^<>]*)>/g, (_, inner: string) => unlink(inner))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(INVISIBLE, '')
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000\s]/gu, ' ')
    .replace(/[\u201C\u201D\u201E\u201F\u00AB\u00BB]/gu, '"')
    .replace(/[\u2018\u2019\u201A\u201B]/gu, "'")
    .replace(/(^|\s)[\u2013\u2014](?=[\p{L}\p{N}])/gu, '$1--')
    .trim();
}

/** What stood between < and >: a mention becomes its id, a link what was typed. */
function unlink(inner: string): string {
  const [target, label] = splitOnce(inner, '|');
  if (/^[@#!]/.test(target)) return target.replace(/^[@#]/, '');
  return label === undefined || label === '' ? target.replace(/^mailto:/, '') : label;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function split(line: string): Words {
  const words: string[] = [];
  let word = '';
  let inWord = false;
  let quote: string | undefined;
  for (const [index, character] of [...line].entries()) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || (character === "'" && !inWord && closesLater(line, index))) {
      quote = character;
      inWord = true;
    } else if (character === ' ') {
      if (inWord) words.push(bare(word));
      word = '';
      inWord = false;
    } else {
      word += character;
      inWord = true;
    }
  }
  if (inWord) words.push(quote === undefined ? bare(word) : word.trim());
  return { words: words.filter((one) => one !== ''), unmatchedQuote: quote !== undefined };
}

/** A lone ' is an apostrophe; a ' that closes again is a quote. */
function closesLater(line: string, index: number): boolean {
  return [...line].slice(index + 1).includes("'");
}

/** A word without emphasis or code marks around the whole of it, and without the full stop a phone adds. */
function bare(word: string): string {
  const marked = /^([*_~`])(.+)\1$/u.exec(word);
  const inner = marked?.[2] ?? word;
  return inner.length > 1 ? inner.replace(/[.,]+$/u, '') : inner;
}
