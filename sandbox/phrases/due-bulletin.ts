import type { BulletinKind } from '../../src/features/billing/bulletin/record.ts';
import { moveRecords, type Where } from '../move-records.ts';

const A_SECOND_MS = 1_000;

/** Makes the bulletin that was set due now, as it will be some day; it was tried for so long already. */
export async function letBeDue<When>(
  sandbox: Where,
  kind: BulletinKind<When>,
  triedForMs = 0,
): Promise<void> {
  const dueAt = Date.now() - A_SECOND_MS;
  await moveRecords(
    sandbox,
    kind,
    ({ set }) =>
      set && {
        set: { ...set, dueAt },
        attempt: { of: dueAt, startedAt: dueAt - triedForMs, dueAt, failures: 0 },
      },
  );
}
