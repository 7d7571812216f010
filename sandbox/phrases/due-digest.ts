import { DIGEST, type Plan } from '../../src/features/billing/digest/plan.ts';
import { moveRecords, type Where } from '../move-records.ts';

/** Makes the digest that was set due now, as it will be some Monday. */
export async function letDigestBeDue(sandbox: Where): Promise<void> {
  const due = ({ set, ...rest }: Plan): Plan => ({
    ...rest,
    set: set && { ...set, dueAt: Date.now() - 1_000 },
  });
  await moveRecords(sandbox, DIGEST, due);
}
