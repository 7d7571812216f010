/**
 * Waits for `work` at most `limitMs`; undefined when it isn't through by then or failed. What has arrived while the process
 * stood still is read first.
 */
export async function atMost<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((done) => {
    timer = setTimeout(() => setImmediate(() => done(undefined)), limitMs);
  });
  const first = await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
  return first;
}
