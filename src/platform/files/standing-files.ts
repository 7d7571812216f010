import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf } from './fingerprint.ts';

/** How soon the same files are looked at again where nobody can wait for the next look. */
const STILL_AFTER_MS = 50;

/** What stands in files, as far as it has been looked at. */
export interface StandingFiles {
  /** Looks, at most so often. Whether something stands still there that was not judged yet. */
  standStill(looks: number): Promise<boolean>;
  /** What stood still is judged, if it still stands there; gives whether it does. */
  judged(): Promise<boolean>;
}

export function createStandingFiles(files: () => readonly string[]): StandingFiles {
  let seen: string | undefined;
  let judged: string | undefined;
  return {
    standStill: async (looks) => {
      for (let left = looks; left > 0; left--) {
        const paths = files();
        const now = await fingerprintOf(paths);
        // What is being written changes from look to look; only what stands still is read.
        const isStill = now === seen;
        seen = now;
        if (now === judged || paths.length === 0) return false;
        if (isStill) return true;
        if (left > 1) await wait(STILL_AFTER_MS);
      }
      return false;
    },
    judged: async () => {
      if ((await fingerprintOf(files())) !== seen) return false;
      judged = seen;
      return true;
    },
  };
}
