import { dayOfEnd } from '../../core/instances/facts.ts';
import type { Column } from '../../core/lists/columns.ts';
import { nameOf, statusOf } from '../../core/instances/messages.ts';
import type { Instance, PausedFor } from '../../platform/hosting/service.ts';
import { oncePer } from '../../platform/once-per.ts';
import { MAX_CELL } from '../../platform/slack/figures.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';

export const STATUS_ICONS: Readonly<Record<Instance['status'], string>> = {
  running: '🟢',
  stopped: '⚫',
  starting: '🔵',
  stopping: '🔵',
  restarting: '🔵',
  provisioning: '🔵',
  deploying: '🔵',
  pending_configuration: '🟡',
  resizing: '🔵',
  migrating: '🔵',
  rebuilding: '🔵',
  paused: '🟠',
  deleting: '⚫',
  deleted: '⚫',
  error: '🔴',
  deploy_failed: '🔴',
  unknown: '❔',
};

const PAUSED_BRIEFLY: Readonly<Record<PausedFor, string>> = {
  'no-credit': 'out of credit',
  suspended: 'suspended by the service',
  'by-owner': 'by its owner',
  'subscription-ended': 'subscription ended',
};

function endsWords(instance: Instance): string | undefined {
  const day = dayOfEnd(instance);
  return day === undefined ? undefined : `ends ${day}`;
}

/** How an instance is, in a list, with what else is to be known of it. */
function howWords(instance: Instance): string {
  return [
    statusOf(instance),
    instance.health === 'unhealthy' ? 'unhealthy' : undefined,
    instance.pausedFor && PAUSED_BRIEFLY[instance.pausedFor],
    instance.isInstalling && 'still installing or booting',
    instance.isLocked && 'locked',
    instance.isDeletionProtected && 'protected from deletion',
    endsWords(instance),
  ]
    .filter((part) => part !== undefined)
    .map((part) => plain(part, 40))
    .join(' · ');
}

/** One instance in a list. Those who ask at the same time share one reading of the list, and its lines. */
export const instanceLine = oncePer((instance: Instance): Phrase => {
  const tier = instance.tier === undefined ? say`` : say` · ${plain(instance.tier, 40)}`;
  return say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${howWords(instance)}${tier}`;
});

/** A list of more than these is sorted and filtered by its reader. */
export const MOST_LINES = 25;

/** What stands in a table of instances. */
export const COLUMNS: readonly Column<Instance>[] = [
  {
    head: 'Instance',
    cell: ({ name, id }) => `${plain(name, Math.max(10, MAX_CELL - id.length - 3))} (${id})`,
  },
  { head: 'Status', cell: (instance) => `${STATUS_ICONS[instance.status]} ${howWords(instance)}` },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Region', cell: ({ region }) => region },
  { head: 'Cost a day', isNumber: true, cell: ({ dailyCostCredits }) => dailyCostCredits },
];
