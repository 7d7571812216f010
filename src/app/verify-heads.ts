import { readFileSync } from 'node:fs';
import { headWords, ownerWords, type Standing, standingOf } from '../core/audit/audit-words.ts';
import type { Verified } from '../core/audit/audit-reader.ts';
import { type Head, readLine } from '../core/audit/chain.ts';

/** What was given to check an audit against can't be used: why, in words. */
export class BadHead extends Error {}

/** Heads that were posted, as far as the key signed them, oldest first; and those that it did not sign. */
export interface GivenHeads {
  readonly signed: readonly Head[];
  readonly unsigned: readonly Head[];
}

/** Reads lines that were posted, and the public key in PEM at `path`. Throws BadHead. */
export function readHeads(lines: readonly string[], path: string | undefined): GivenHeads {
  if (lines.length === 0) return { signed: [], unsigned: [] };
  if (path === undefined) throw new BadHead('--head needs --public-key with the file of the public key.');
  const publicKey = keyAt(path);
  const read = lines.map((line) => {
    const one = linesOf(line, publicKey, path);
    if (!one) throw new BadHead(`"${line.slice(0, 60)}" is no line that I post. Copy the whole of it.`);
    return one;
  });
  const [signed, unsigned] = [true, false].map((isWanted) =>
    read.filter(({ isSigned }) => isSigned === isWanted).map(({ head }) => head),
  );
  return {
    signed: (signed ?? []).toSorted((one, other) => one.seq - other.seq),
    unsigned: unsigned ?? [],
  };
}

function keyAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new BadHead(`The file of --public-key can't be read: ${path}`);
  }
}

function linesOf(line: string, publicKey: string, path: string): ReturnType<typeof readLine> {
  try {
    return readLine(line, publicKey);
  } catch {
    throw new BadHead(`${path} has no public key in PEM.`);
  }
}

/** How an audit stands to heads: what to say of each, and what is wrong, or can't be told. */
export interface HeadsJudged {
  readonly said: readonly string[];
  readonly isWrong: boolean;
  readonly isUntold: boolean;
}

/** Whether an audit leads to each of its heads. Pure. */
export function judgeHeads(heads: readonly Head[], verified: Verified): HeadsJudged {
  const judged = heads.map((head) => ({ head, how: standingOf(head, verified) }));
  const standing = judged.findLast(({ how }) => how === 'stands')?.head;
  const isAny = (...wanted: readonly Standing[]): boolean => judged.some(({ how }) => wanted.includes(how));
  return {
    said: judged.map(({ head, how }) => headWords(head, how, verified, standing)),
    isWrong: isAny('rewritten', 'cut', 'hidden'),
    isUntold: isAny('gone'),
  };
}

/** What is wrong with heads whatever the audit holds: nobody with the key has signed them, or they are of an audit that is not there. Pure. */
export function faultsOfHeads(
  { signed, unsigned }: GivenHeads,
  isThere: (head: Head) => boolean,
): readonly string[] {
  return [
    ...unsigned.map(
      ({ of, day }) =>
        `${ownerWords(of, true)}${day}: this line isn't signed by that key. It was changed, or signed by another key.`,
    ),
    ...signed
      .filter((head) => !isThere(head))
      .map(({ of, day }) => `${ownerWords(of, true)}${day}: no such audit is in this Redis.`),
  ];
}
