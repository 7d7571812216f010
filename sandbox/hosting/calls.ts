/** A request as it was received. The key itself is never kept, only whose it is. */
export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly at: number;
  /** The customer's name, or null for a key nobody has. */
  readonly keyName: string | null;
  /** `pending` until answered; `reset` when the connection was cut in place of an answer. */
  status: number | 'pending' | 'reset';
  /** Whether it changed something, whatever its answer was. */
  hadEffect: boolean;
  /** The instance it was about, that of an add-on included. */
  instanceId?: number;
}

/** Picks calls: by method or several, by a whole path or a pattern, and by a whole query. What is left out matches everything. */
export interface CallMatcher {
  readonly method?: string | readonly string[];
  readonly path?: string | RegExp;
  readonly query?: string;
}

/** Whether a matcher picks a call. */
export function matches(
  matcher: CallMatcher,
  call: Pick<RecordedCall, 'method' | 'path' | 'query'>,
): boolean {
  if (matcher.method !== undefined && ![matcher.method].flat().includes(call.method)) return false;
  if (matcher.query !== undefined && matcher.query !== call.query) return false;
  if (matcher.path === undefined) return true;
  if (typeof matcher.path === 'string') return matcher.path === call.path;
  // search, not test: a pattern with the g flag would remember where it stopped.
  return call.path.search(matcher.path) !== -1;
}

/** Enough for any test, and a bound for a demo that runs for days. */
const keptCalls = 10_000;

/** Adds a call, and forgets the oldest when there are too many. */
export function record(calls: RecordedCall[], call: RecordedCall): void {
  calls.push(call);
  if (calls.length > keptCalls) calls.splice(0, calls.length - keptCalls);
}
