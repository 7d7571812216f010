import { DIGEST, type DigestRecord } from '../../src/features/billing/digest/record.ts';
import { moveRecords, type Where } from '../move-records.ts';

const A_SECOND_MS = 1_000;

/** Makes the digest that was set due now, as it will be some Monday; it was tried for so long already. */
export async function letDigestBeDue(sandbox: Where, triedForMs = 0): Promise<void> {
  const dueAt = Date.now() - A_SECOND_MS;
  const due = ({ set }: DigestRecord): DigestRecord | undefined =>
    set && {
      set: { ...set, dueAt },
      attempt: { of: dueAt, startedAt: dueAt - triedForMs, dueAt, failures: 0 },
    };
  await moveRecords(sandbox, DIGEST, due);
}
