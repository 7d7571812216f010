/**
 * Waits for `work` at most `limitMs`; undefined when it isn't through by then or failed. What has arrived while the process
 * stood still is read first.
 */
export function atMost<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  return within<T | undefined>(limitMs, work, undefined);
}

/** The same, with `otherwise` in place of undefined. */
export function within<T>(limitMs: number, work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((done) => {
    const timer = setTimeout(() => setImmediate(() => done(otherwise)), limitMs);
    const end = (value: T): void => {
      clearTimeout(timer);
      done(value);
    };
    work.then(end, () => end(otherwise));
  });
}
