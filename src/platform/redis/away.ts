import { LacksReplicas } from './survive.ts';

/** What is thrown by a connection while Redis can't be reached, is slow, or doesn't take a command for now. */
const AWAY = [
  /^Stream isn't writeable and enableOfflineQueue options is false$/,
  /^[Cc]onnection is closed\.?$/,
  /^Redis gave no answer in time$/,
  /^too few replicas of Redis /,
  /^Command aborted due to connection close$/,
  /^Socket timeout\. /,
  /^Reached the max retries per request limit/,
  /^(LOADING|READONLY|MASTERDOWN|UNBLOCKED|CLUSTERDOWN|MOVED|ASK|NOREPLICAS|MISCONF|OOM|BUSY|TRYAGAIN|EXECABORT) /,
  /\b(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)\b/,
];

/** Why a Redis that answers takes no writes. */
export type RefusedWrite = 'read-only' | 'full' | 'not saved' | 'alone' | 'starting' | 'moving';
/** What Redis says where it answers and takes no writes, which it then certainly did not do; and what to call that. */
const REFUSED: ReadonlyMap<string, RefusedWrite> = new Map([
  ['READONLY', 'read-only'],
  ['MASTERDOWN', 'read-only'],
  ['OOM', 'full'],
  ['MISCONF', 'not saved'],
  ['NOREPLICAS', 'alone'],
  ['LOADING', 'starting'],
  // The keys are at another node of the cluster, which is found next.
  ['MOVED', 'moving'],
  ['ASK', 'moving'],
  ['CLUSTERDOWN', 'moving'],
]);
const CODE = /^(?:Ready check failed: )?([A-Z]+) /;

/** Why Redis refused a write; undefined where an error says anything else. Looks at what caused it, too. Pure. */
export function refusedWriteIn(error: unknown): RefusedWrite | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof LacksReplicas) return 'alone';
  const [, code = ''] = CODE.exec(error.message) ?? [];
  return REFUSED.get(code) ?? refusedWriteIn(error.cause);
}

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
