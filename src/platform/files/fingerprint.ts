import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * What stands in files, as one word: another word, and something of it has changed. By content and not by time, so that it is the same
 * for a file that was written in place, one that was renamed there, and a link that leads elsewhere now. Of a file that can't be read,
 * the reason counts. Never throws.
 */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(path).catch((error: unknown) => codeOf(error));
    hash.update(JSON.stringify([path, typeof content === 'string' ? content : content.length]));
    if (typeof content !== 'string') hash.update(content);
  }
  return hash.digest('base64url');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}
