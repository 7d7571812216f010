import { fingerprintOf } from './fingerprint.ts';

/** What stands in files, as far as it has been looked at. */
export interface StandingFiles {
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
