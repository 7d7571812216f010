/** Which currency something is in, as a code like USD, where the answer says so: the bot reads nothing of another than the account's. */
interface Said {
  readonly currency?: string;
}

/** What is paid afterwards. Amounts are decimal strings of the account's currency, never floats. */
export interface Spending extends Said {
  /** What this month has cost up to now and nobody has billed yet. */
  readonly monthSoFar: string;
  /** What is owed from before this month; less than zero: credit. */
  readonly owedBefore?: string;
}

/** What one thing costs this month so far. Its amount is a decimal string of the account's currency. */
export interface Charge extends Said {
  /** One of its own, or made of what it says. */
  readonly id: string;
  /** What it is: foreign text. */
  readonly name: string;
  /** What sort of thing it is: foreign text. */
  readonly product: string;
  readonly amount: string;
  /** The instance that it is for, where the service says so. */
  readonly instanceId?: string;
}

/** An invoice, a payment, or the like. Amounts are decimal strings of the account's currency. */
export interface Bill extends Said {
  /** One of its own, or made of what it says. */
  readonly id: string;
  /** When, as the service writes it. */
  readonly at: string;
  /** The service's own word. */
  readonly type: string;
  /** More than zero is owed, less is paid or credited. Undefined where the service doesn't say which; then `size` is there. */
  readonly amount?: string;
  /** How much it is, without a sign. */
  readonly size?: string;
  /** What was owed after it; less than zero is credit. */
  readonly owedAfter?: string;
  readonly description?: string;
}
