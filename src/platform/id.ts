import { hash, randomFillSync } from 'node:crypto';

const BYTES = 16;
/** Their text in base64url. */
const CHARACTERS = 22;

/** Random bytes for so many ids: to ask for each id's own takes twenty times as long. */
const pool = Buffer.alloc(BYTES * 128);
let used = pool.length;

/** 128 random bits in 22 characters: nothing to guess. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('base64url', used - BYTES, used);
}

/** The id of what `text` names: the same text gives the same id, and the id doesn't give the text. */
export function idOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, CHARACTERS);
}
