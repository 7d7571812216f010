/** A request as it was received. The key itself is never kept, only whose it is. */
export interface RecordedCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The customer's name; null for a key nobody has, left out where there is one account alone. */
  keyName?: string | null;
  /** Parsed; undefined where nothing or no JSON was sent, or nobody reads it. */
  body: unknown;
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

/** What stands in a path for each `{id}` of a template, in order; undefined where the path is another one. */
export function idsIn(template: string, path: string): readonly string[] | undefined {
  const [wanted, segments] = [template.split('/'), path.split('/')];
  const fits =
    wanted.length === segments.length &&
    wanted.every((each, index) => each === '{id}' || each === segments[index]);
  return fits ? segments.filter((_, index) => wanted[index] === '{id}') : undefined;
}
