import type { Change } from './status.ts';
import type { ErrorStyle } from './variant.ts';

/** A record in the contract's own names, before a variant changes them. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** As much of a list as a page needs, so that a list may be too long to stand in memory. */
export interface Sliceable<Item> {
  readonly length: number;
  /** From `start` up to, but not with, `end`. */
  slice(start: number, end: number): readonly Item[];
}

/** An error answer that isn't on the wire yet. */
export interface ErrorOutcome {
  readonly kind: 'error';
  readonly status: number;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  readonly errors?: ErrorStyle;
}

/** What the service decided, without its wire shape: the edge (answer.ts) gives it one. */
export type Outcome =
  | {
      readonly kind: 'list';
      readonly of: 'instances' | 'addons' | 'transactions';
      readonly items: Sliceable<WireRecord>;
    }
  | {
      readonly kind: 'one';
      readonly of: 'instance' | 'addon' | 'billing';
      readonly status: 200 | 201;
      readonly record: WireRecord;
    }
  | { readonly kind: 'changed'; readonly change: Change; readonly record: WireRecord }
  /** An answer word for word, whatever it says. */
  | { readonly kind: 'verbatim'; readonly status: number; readonly body: string }
  | ErrorOutcome;

/** 404: absent and somebody else's, which must look the same. */
export function notFound(message: string): ErrorOutcome {
  return { kind: 'error', status: 404, message };
}

/** 422 without details: the record's state doesn't allow it. */
export function wrongState(message: string): ErrorOutcome {
  return { kind: 'error', status: 422, message };
}

/** 422 with details: one sentence for each bad field. */
export function badFields(details: Readonly<Record<string, string>>): ErrorOutcome {
  return { kind: 'error', status: 422, message: 'Validation failed', details };
}
