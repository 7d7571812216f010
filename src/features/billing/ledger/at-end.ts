import type { Commit } from '../../../core/records/commit.ts';
import type { Log } from '../../../platform/log/log.ts';

/** What is written together with the end of a reading, so that what is told of the days is told once. `now`: the calendar's, Unix ms. */
export type AtEnd = (now: number) => Promise<Commit<'moved'> | undefined>;

/** What each has to write. What one throws is logged, and the reading ends without it. */
export async function partsAtEnd(
  atEnd: readonly AtEnd[],
  now: number,
  log: Pick<Log, 'error'>,
): Promise<readonly Commit<'moved'>[]> {
  const parts = await Promise.all(
    atEnd.map((ask) =>
      ask(now).catch((error: unknown) => {
        log.error({ error }, 'telling of the ledger');
        return undefined;
      }),
    ),
  );
  return parts.filter((part) => part !== undefined);
}
