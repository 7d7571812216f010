/**
 * One span of what was asked for, told once it is over. The same names give the same ids, whichever process tells it, so
 * that none of that is handed from one to the other. Nothing in it was typed by anybody, names anything of theirs, or is secret.
 */
export interface Span {
  /** The reference of what was asked for. */
  readonly trace: string;
  /** What it is among all spans: the reference of what it belongs to, and which span of that. */
  readonly id: string;
  /** The same of the span that it is part of; none for the first. */
  readonly under?: string | undefined;
  /** What is done, by a word of few. */
  readonly name: string;
  /** taken: somebody asked it of the bot · asks: the bot asks it of others · does: neither. */
  readonly kind: 'taken' | 'asks' | 'does';
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Why it went wrong, as a code; left out where it didn't. */
  readonly fault?: string | undefined;
}
