import type { Status } from './status.ts';

export type ErrorStyle = 'object' | 'string' | 'list' | 'flat' | 'problem' | 'html' | 'nothing';

/** The kinds of paging: by number, token, link and range, and the last three say too little to go on. */
export type PagingStyle =
  | 'pages'
  | 'cursor'
  | 'link header'
  | 'Next-Range'
  | 'total alone'
  | 'has_more alone'
  | 'silent';

/** How a list is cut in pages, and how a careless service would do it wrongly. */
export interface Paging {
  readonly style: PagingStyle;
  readonly size: number;
  /** `repeats`: the last page names itself as the next; `endless`: empty pages without an end; `elsewhere`: the next link leads to another origin. */
  readonly mischief?: 'repeats' | 'endless' | 'elsewhere';
}

/**
 * How another service with the same API might write the same facts. Everything left out is as in
 * openapi.yaml. Read at the wire edge only (answer.ts and what it calls, request.ts).
 */
export interface Variant {
  readonly list?: 'data' | 'bare' | 'servers' | 'items' | 'instances' | 'data.instances';
  readonly one?: 'data' | 'instance' | 'bare' | 'one-element array';
  readonly paging?: Paging;
  readonly statusField?: 'status' | 'state' | 'power_status';
  readonly statusWords?: Readonly<Partial<Record<Status, string>>>;
  readonly statusCase?: 'upper' | 'dashed' | 'spaced';
  /** How a power action and a deletion are answered when they worked. */
  readonly changes?: 'record' | 'empty' | 'empty object' | 'action object';
  readonly errors?: ErrorStyle;
  /** Ids as strings with this in front; `srv/` makes an id that must be percent-encoded. */
  readonly idPrefix?: string;
  readonly allowances?: 'given' | 'absent';
  readonly balanceField?: string;
  readonly money?: 'integer' | 'decimal string';
  readonly addons?: 'offered' | 'absent';
  readonly limitHeaders?: 'X-RateLimit' | 'RateLimit with seconds left' | 'absent';
  readonly retryAfter?: 'seconds' | 'date' | 'absent';
  readonly auth?: { readonly header: string; readonly scheme: string };
}
