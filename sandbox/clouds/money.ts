/** Something that changed the balance. Both amounts are above zero: an invoice adds to what is owed, a payment takes from it. */
export interface MoneyEntry {
  readonly at: number;
  readonly kind: 'invoice' | 'payment';
  readonly description: string;
  readonly amountCents: number;
}

/** What an account owes, in US cents: above zero it is owed, below zero it is credit. */
export interface Money {
  readonly owedCents: number;
  /** Used this month and not yet on an invoice. */
  readonly pendingCents: number;
  /** Newest first. */
  readonly history: readonly MoneyEntry[];
  /** DigitalOcean: what is left on a prepaid account; left out for one that is billed. */
  readonly prepaidCents?: number;
}

/** An account with 40 dollars of credit, of which 12.50 are used up this month. */
export const plainMoney: Money = {
  owedCents: -4_000,
  pendingCents: 1_250,
  history: [
    { at: Date.UTC(2026, 0, 2), kind: 'payment', description: 'Payment', amountCents: 7_120 },
    { at: Date.UTC(2026, 0, 1), kind: 'invoice', description: 'December', amountCents: 3_120 },
  ],
};

/** Each entry with what was owed after it, in cents. The newest leaves what is owed now. */
export function withBalances({ owedCents, history }: Money): { entry: MoneyEntry; balanceCents: number }[] {
  let balanceCents = owedCents;
  return history.map((entry) => {
    const after = balanceCents;
    balanceCents -= entry.kind === 'invoice' ? entry.amountCents : -entry.amountCents;
    return { entry, balanceCents: after };
  });
}
