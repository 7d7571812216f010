import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Mark } from './chain.ts';

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
