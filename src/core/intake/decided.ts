import type { Entry } from '../audit/entry.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { Route } from './route.ts';

/** What a request came to. */
export interface Decided {
  readonly reply: Reply;
  readonly isNo: boolean;
  /** It says that nothing was done, of a request that another run may have carried out meanwhile. */
  readonly isGeneral?: boolean;
  /** It is an operation now, and nothing is left of the request itself. */
  readonly isBegun: boolean;
  /** What the audit keeps of it, where it is not kept already. */
  readonly entry: Entry | undefined;
}

/** How a request is decided that is written down. */
interface How {
  /** Whether it waits until what failed so can be tried again. */
  readonly mayWait?: (error: unknown) => boolean;
  /** Whether an earlier run may have carried it out, so that no is not said of what was done. */
  readonly isAgain?: boolean;
}

/**
 * Rights, the handler, and whatever went wrong as words; nothing where a card says it. Throws where Redis is away and the
 * request is written down, so that it can be run again, and what it `mayWait` out.
 */
export type Decide = (ask: Ask, route: Route, how?: How) => Promise<Decided>;
