import { statusWords } from '../../core/instances/messages.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isTrouble, rankOf } from './list-order.ts';

/** Statuses whose word says too little after a number. */
const AFTER_A_NUMBER: Readonly<Partial<Record<Instance['status'], string>>> = {
  error: 'in error',
  unknown: 'of unknown status',
  pending_configuration: 'waiting for configuration',
  deploy_failed: 'with a failed deploy',
};

/**
 * How many are how, in the order of a list: "3 in trouble (1 in error, 2 unhealthy), 1 starting, 14 stopped, 213 running".
 * Each is counted once. Pure.
 */
export function statusSummary(instances: readonly Instance[]): string {
  const counts = new Map<string, { count: number; readonly rank: number }>();
  for (const instance of instances) {
    const word = wordOf(instance);
    const known = counts.get(word);
    if (known) known.count++;
    else counts.set(word, { count: 1, rank: rankOf(instance) });
  }
  const inOrder = [...counts].toSorted(
    ([, one], [, other]) => one.rank - other.rank || other.count - one.count,
  );
  const trouble = inOrder.filter(([, { rank }]) => isTrouble(rank));
  const words = inOrder.map(([word, { count }]) => `${count} ${word}`);
  if (trouble.length < 2) return words.join(', ');
  const inTrouble = trouble.reduce((sum, [, { count }]) => sum + count, 0);
  const kinds = words.slice(0, trouble.length).join(', ');
  return [`${inTrouble} in trouble (${kinds})`, ...words.slice(trouble.length)].join(', ');
}

function wordOf({ status, health }: Instance): string {
  const isAtFault = status === 'error' || status === 'deploy_failed';
  if (health === 'unhealthy' && !isAtFault) return 'unhealthy';
  return AFTER_A_NUMBER[status] ?? statusWords({ status, word: status });
}
