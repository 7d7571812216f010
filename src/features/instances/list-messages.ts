import { parseAmount } from '../../core/money/amount.ts';
import { counted } from '../../core/money/counted.ts';
import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { shownOf } from '../../platform/slack/render.ts';
import { ago, join, type Phrase, plain, say, time } from '../../platform/slack/phrase.ts';
import { incompleteWords, nameOf, statusOf } from '../../core/lookup/messages.ts';
import { FIRST_PAGE, type ListPage, valueOf } from './list-page.ts';

const STATUS_ICONS: Readonly<Record<Instance['status'], string>> = {
  running: '🟢',
  stopped: '⚫',
  starting: '🔵',
  stopping: '🔵',
  restarting: '🔵',
  provisioning: '🔵',
  deploying: '🔵',
  pending_configuration: '🟡',
  paused: '🟠',
  deleting: '⚫',
  deleted: '⚫',
  error: '🔴',
  deploy_failed: '🔴',
  unknown: '❔',
};

/** One instance in a list. */
function instanceLine(instance: Instance): Phrase {
  const status = statusOf(instance);
  const more = [instance.health === 'unhealthy' ? 'unhealthy' : undefined, instance.tier]
    .filter((part): part is string => part !== undefined)
    .map((part) => plain(part, 40));
  return say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${[status, ...more].join(' · ')}`;
}

export const LIST_ROUTE = 'instances.list';
const PER_PAGE = 40;

/**
 * One page of the instances that match, those that need somebody first; `total`: how many the list has; the list's own words say whether it is whole, and of when. A page past the
 * end, of a list that has become shorter, is the last one.
 */
export function instanceList(
  instances: readonly Instance[],
  total: number,
  { incomplete, readAtMs }: Omit<InstanceList, 'instances'>,
  page: ListPage = FIRST_PAGE,
): Message {
  const notes = [
    ...(incomplete ? [incompleteWords(incomplete, 'instances')] : []),
    ...(readAtMs === undefined ? [] : [say`As of ${ago(readAtMs)}.`]),
  ];
  const note = notes.length === 0 ? {} : { note: join(notes, ' ') };
  if (total === 0)
    return { lines: [incomplete ? say`I could read no instance.` : say`There are no instances.`], ...note };
  if (instances.length === 0) {
    const read = incomplete ? say` that I could read` : say``;
    return { lines: [say`None of the ${total} instances${read} matches.`], ...note };
  }
  const from = page.from < instances.length ? page.from : lastPage(instances.length);
  const running = instances.filter((instance) => instance.status === 'running').length;
  const least = incomplete ? 'at least ' : '';
  const count = instances.length === total ? `${least}${total}` : `${instances.length} of ${least}${total}`;
  const noun = total === 1 ? 'instance' : 'instances';
  const head = (shown: number): Phrase => {
    const all = `${count} ${noun}, ${running} running:`;
    return shown === instances.length
      ? say`${all.replace(/^a/, 'A')}`
      : say`${from + 1} to ${from + shown} of ${all}`;
  };
  const list = (shown: number): Message => ({
    lines: [head(shown)],
    bullets: instances.slice(from, from + shown).map(instanceLine),
    ...note,
    buttons: [
      ...(from > 0 ? turn('Previous', { ...page, from: Math.max(0, from - PER_PAGE) }) : []),
      ...(from + shown < instances.length ? turn('Next', { ...page, from: from + shown }) : []),
    ],
  });
  // Long names fill a message before the page is full.
  const fitting = shownOf(list(Math.min(PER_PAGE, instances.length - from))).bullets;
  const { buttons = [], ...message } = list(fitting);
  return buttons.length > 0 ? { ...message, buttons } : message;
}

function lastPage(count: number): number {
  return Math.floor((count - 1) / PER_PAGE) * PER_PAGE;
}

function turn(label: string, page: ListPage): Button[] {
  const value = valueOf(page);
  return value === undefined ? [] : [{ label, routeId: LIST_ROUTE, value }];
}

/** One instance with what is being done to it and what can be. `unit`: how credits are called. */
export function instanceCard(
  instance: Instance,
  unit: string,
  buttons: readonly Button[],
  menu: readonly Button[],
  underWay: readonly Phrase[] = [],
): Message {
  const status = statusOf(instance);
  const health =
    instance.health === undefined || instance.health === 'unknown' ? say`` : say` · ${instance.health}`;
  const facts: Phrase[] = [];
  const fact = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== '')
      facts.push([{ type: 'text', text: `${label}: ` }, ...say`${value}`]);
  };
  fact('Tier', instance.tier);
  fact('Billing', instance.billingMode);
  const cost = parseAmount(instance.dailyCostCredits);
  fact('Cost', cost && `${counted(cost, unit)} a day`);
  fact('Address', instance.address);
  fact('IP', instance.ipAddress);
  const createdAt = Date.parse(instance.createdAt ?? '');
  if (Number.isFinite(createdAt)) facts.push(say`Created: ${time(createdAt)}`);
  return {
    lines: [
      say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${status}${health}`,
      ...underWay,
      ...facts,
    ],
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(menu.length > 0 ? { menu } : {}),
  };
}
