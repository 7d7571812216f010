import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** What stands in files, as far as it has been looked at. */
interface StandingFiles {
  /** Looks once. Whether something stands still there that was not judged yet. */
  standStill(): Promise<boolean>;
  /** What stood still is judged, if it still stands there; gives whether it does. */
  judged(): Promise<boolean>;
}

export function createStandingFiles(files: () => readonly string[]): StandingFiles {
  let seen: string | undefined;
  let judged: string | undefined;
  return {
    standStill: async () => {
      const paths = files();
      const now = await fingerprintOf(paths);
      // What is being written changes from look to look; only what stands still is read.
      const isStill = now === seen;
      seen = now;
      return isStill && now !== judged && paths.length > 0;
    },
    judged: async () => {
      if ((await fingerprintOf(files())) !== seen) return false;
      judged = seen;
      return true;
    },
  };
}

/**
 * What stands in files, as one word: another word, and something of it has changed. By content and not by time, so that it is the same
 * for a file that was written in place, one that was renamed there, and a link that leads elsewhere now. Of a file that can't be read,
 * the reason counts. Never throws.
 */
async function fingerprintOf(paths: readonly string[]): Promise<string> {
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
