import { createHash, randomBytes } from 'node:crypto';

/** 128 random bits in 22 characters: nothing to guess. */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** The id of what `text` names: the same text gives the same id, and the id doesn't give the text. */
export function idOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}
