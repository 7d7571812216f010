const TOLD_LIMIT_MS = 60_000;
const POLL_EVERY_MS = 200;

/** Whether something comes to be so within a minute. `meanwhile`: done again and again until then. */
export async function comes(isSo: () => boolean, meanwhile?: () => Promise<void>): Promise<boolean> {
  const until = performance.now() + TOLD_LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > until) return false;
    await meanwhile?.();
    await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
  }
  return true;
}
