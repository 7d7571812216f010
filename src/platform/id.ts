import { hash, randomFillSync } from 'node:crypto';

/** Of an id; in base64url they are 22 characters. */
const BYTES = 16;

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
  return Buffer.from(hash('sha256', text).slice(0, 2 * BYTES), 'hex').toString('base64url');
}
