import type { CallResult, Metrics } from '../metrics/metrics.ts';
import { isRefusal, slackErrorOf } from './errors.ts';

/** Hears of each call to Slack how it ended. */
export type OnCall = Metrics['slackCall'];

/** Does a call and tells how it ended, and after how long. Throws what the call throws. */
export async function timedCall<T>(
  method: string,
  onCall: OnCall | undefined,
  call: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let result: CallResult = 'ok';
  try {
    return await call();
  } catch (error) {
    result = resultOf(error);
    throw error;
  } finally {
    onCall?.(method, result, performance.now() - startedAt);
  }
}

function resultOf(thrown: unknown): CallResult {
  const error = slackErrorOf(thrown);
  if (error.code === 'ratelimited') return 'rate-limited';
  return isRefusal(error) ? 'refused' : 'failed';
}
