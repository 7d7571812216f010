import { statusWords } from '../../core/instances/messages.ts';
import type { Instance } from '../../platform/hosting/service.ts';

/** Statuses whose word says too little after a number. */
const AFTER_A_NUMBER: Readonly<Partial<Record<Instance['status'], string>>> = {
  error: 'in error',
  unknown: 'of unknown status',
  pending_configuration: 'waiting for configuration',
  deploy_failed: 'with a failed deploy',
};

/** How many are in each status, the most first: "188 running (2 unhealthy), 11 stopped, 1 in error". Pure. */
export function statusSummary(instances: readonly Instance[]): string {
  const counts = new Map<Instance['status'], { count: number; unhealthy: number }>();
  for (const { status, health } of instances) {
    const { count, unhealthy } = counts.get(status) ?? { count: 0, unhealthy: 0 };
    counts.set(status, {
      count: count + 1,
      unhealthy: unhealthy + (status === 'running' && health === 'unhealthy' ? 1 : 0),
    });
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other.count - one.count)
    .map(([status, { count, unhealthy }]) => {
      const word = AFTER_A_NUMBER[status] ?? statusWords({ status, word: status });
      return `${count} ${word}${unhealthy > 0 ? ` (${unhealthy} unhealthy)` : ''}`;
    })
    .join(', ');
}
