/** What is thrown by a connection while Redis can't be reached, is slow, or doesn't take a command for now. */
const AWAY = [
  /^Stream isn't writeable and enableOfflineQueue options is false$/,
  /^Connection is closed\.?$/,
  /^Redis gave no answer in time$/,
  /^Reached the max retries per request limit/,
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|MISCONF|OOM|BUSY|TRYAGAIN|EXECABORT) /,
  /\b(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)\b/,
];

/** Whether an error says that Redis is away or takes nothing just now. Anything else is a bug or a broken record. */
export function isRedisAway(error: unknown): boolean {
  return error instanceof Error && AWAY.some((pattern) => pattern.test(error.message));
}

/** What `asking` gives, or `otherwise` while Redis is away. Throws whatever else it throws. */
export async function unlessRedisIsAway<Given>(asking: Promise<Given>, otherwise: Given): Promise<Given> {
  try {
    return await asking;
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    return otherwise;
  }
}
