import type { Cloud } from '../../sandbox/clouds/cloud.ts';
import type { MachineSpec } from '../../sandbox/clouds/machine.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;

/** What has the label of the web team, in the words of each service, and what has another. */
export const WEB = { tags: ['team=web'], labels: { team: 'web' } };
export const DATA = { tags: ['team=data'], labels: { team: 'data' } };

/** Machines that have been there for a while. */
export const FLEET: readonly MachineSpec[] = [
  { name: 'web-1', ...WEB },
  { name: 'web-2', ...WEB },
  { name: 'db-1', ...DATA },
  { name: 'db-2', ...DATA },
].map((one) => ({ ...one, createdAt: Date.now() - DAY_MS }));

export const stop = (cloud: Cloud, name: string): void => cloud.setStatus(name, cloud.words.stopped);

/** Waits until the bot has read the list so often more. */
export async function looksAt({ calls }: Cloud, count = 3): Promise<void> {
  const listed = (): number =>
    calls.filter(({ path }) => /\/(servers|droplets|instances)$/.test(path)).length;
  const before = listed();
  await until(() => listed() >= before + count);
}
