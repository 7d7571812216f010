import { hash as hashText, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** One entry as it stands in the stream. */
export interface Link {
  /** The stream's own id of it. */
  readonly id: string;
  /** Its number; the first ever is 1. */
  readonly seq: number;
  /** The hash of the one before. */
  readonly before: string;
  readonly entry: string;
  readonly hash: string;
}

/** Where the chain begins or ends: the number and the hash of one entry. */
export interface Mark {
  readonly seq: number;
  readonly hash: string;
}

/** Before the first entry. */
export const START: Mark = { seq: 0, hash: '' };

/** The hash of an entry: of its number, the hash of the one before and its text. SHA-1 in hex, which a script of Redis can make. Pure. */
export function hashOf(seq: number, before: string, entry: string): string {
  return hashText('sha1', `${seq}\n${before}\n${entry}`, 'hex');
}

/** The first place at which something is wrong, in words; undefined where nothing is. */
export interface Fault {
  /** The number of the entry that should stand there. */
  readonly seq: number;
  /** The stream's id at that place; undefined where there is nothing. */
  readonly id: string | undefined;
  readonly what: 'edited' | 'missing' | 'cut off' | 'not in order';
}

/** Walks a chain entry by entry, so that a long one is never held as a whole. */
export interface Verifier {
  /** Takes the next entry; gives the fault that it shows. */
  next(link: Link): Fault | undefined;
  /** What is wrong with the end. `head`: the newest entry as it was written down. */
  end(head: Mark): Fault | undefined;
  /** The newest entry that was right. */
  last(): Mark;
}

/** A verifier that begins after `anchor`: the newest entry that was pruned, or START. */
export function createVerifier(anchor: Mark): Verifier {
  let last = anchor;
  return {
    next: ({ id, seq, before, entry, hash }) => {
      const wanted = last.seq + 1;
      if (hash !== hashOf(seq, before, entry)) return { seq: wanted, id, what: 'edited' };
      if (seq > wanted) return { seq: wanted, id, what: 'missing' };
      // Two of one number: the one before is as likely the one that doesn't belong there.
      if (seq < wanted) return { seq: seq === last.seq ? seq : wanted, id, what: 'not in order' };
      // Its own hash is right, so it was made after another one than the one that stands before it.
      if (before !== last.hash)
        return { seq: last.seq === anchor.seq ? wanted : last.seq, id, what: 'edited' };
      last = { seq, hash };
      return undefined;
    },
    end: (head) => {
      if (head.seq > last.seq) return { seq: last.seq + 1, id: undefined, what: 'cut off' };
      if (head.seq < last.seq) return { seq: head.seq + 1, id: undefined, what: 'not in order' };
      return head.hash === last.hash ? undefined : { seq: last.seq, id: undefined, what: 'edited' };
    },
    last: () => last,
  };
}

/** The newest entry of an audit at the end of a day, as it is signed. */
export interface Head extends Mark {
  /** Names of the workspace and the account whose audit it is; empty where there is only one. */
  readonly of: readonly string[];
  /** That day in UTC: 2026-11-26. */
  readonly day: string;
}

const KIND = 'lamplighter-audit';
const NOBODY = '-';
const LINE = new RegExp(
  String.raw`^(${KIND}:([A-Za-z0-9/-]{1,100}):(\d{4}-\d{2}-\d{2}):(\d{1,15}):([0-9a-f]{40})):([\w-]{86})$`,
);

/** What is wrong with a text as the key by which heads are signed; undefined for nothing. Pure. */
export function faultOfSigningKey(pem: string): string | undefined {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'ed25519') return undefined;
  } catch {
    // What it is instead is nothing that could be said.
  }
  return 'must be an Ed25519 private key in PEM, without a passphrase';
}

/** A head as one line, signed by an Ed25519 key in PEM. Throws what node:crypto throws of any other key. */
export function signedLine({ of, day, seq, hash }: Head, signingKey: string): string {
  const text = [KIND, of.join('/') || NOBODY, day, seq, hash].join(':');
  return `${text}:${sign(undefined, Buffer.from(text), signingKey).toString('base64url')}`;
}

/** The head in a line as people copy it, and whether the key signed it; undefined where it is no such line. Throws for what is no key in PEM. */
export function readLine(
  line: string,
  publicKey: string,
): { readonly head: Head; readonly isSigned: boolean } | undefined {
  const [, text, owner = '', day = '', seq, hash = '', signature = ''] =
    LINE.exec(line.replaceAll(/[\s`]/g, '')) ?? [];
  if (text === undefined) return undefined;
  return {
    head: { of: owner === NOBODY ? [] : owner.split('/'), day, seq: Number(seq), hash },
    isSigned: verify(
      undefined,
      Buffer.from(text),
      createPublicKey(publicKey),
      Buffer.from(signature, 'base64url'),
    ),
  };
}
