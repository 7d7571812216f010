/** Waits for `work` at most `limitMs`; undefined when it isn't through by then or failed. */
export async function atMost<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), limitMs);
  });
  const first = await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
  return first;
}
