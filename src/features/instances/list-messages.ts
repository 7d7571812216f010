import { parseAmount, counted } from '../../core/money/amount.ts';
import { type Instance, type InstanceList, POWERS } from '../../platform/hosting/service.ts';
import {
  type Button,
  type Message,
  type SeveralPicker,
  twoAndMenu,
  upTo,
} from '../../platform/slack/message.ts';
import { ago, join, type Phrase, plain, say, time } from '../../platform/slack/phrase.ts';
import { paidUntilOf } from '../../core/instances/facts.ts';
import {
  incompleteWords,
  nameOf,
  pausedWords,
  statusOf,
  statusWords,
} from '../../core/instances/messages.ts';
import {
  isWhole,
  type List,
  pageButton,
  pageMessage,
  type Part,
  partWords,
  PER_PAGE,
  placeWords,
} from '../../core/lists/list.ts';
import { pickedPlace, placeValue } from '../../core/lists/asked-page.ts';
import { asTyped } from '../../core/ask/words.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import { isTrouble, rankOf, startOf, type QuickFilter } from './list-order.ts';
import { STATUS_ICONS, instanceLine, MOST_LINES, COLUMNS } from './list-lines.ts';
import { canceledWords } from './cancel-messages.ts';
import { priceWords } from './price.ts';
import { powerButton } from './power-messages.ts';
import { LIST_ROUTE, SHOW } from './route-ids.ts';

/** What one page of the list is made of. */
export interface InstancePage {
  /** Those that match, in the order in which they are shown. */
  readonly instances: readonly Instance[];
  /** What they match, as it was typed. */
  readonly words: readonly string[];
  /** How many the person may see at all. */
  readonly total: number;
  /** Where the page begins, counted from 0. */
  readonly from: number;
  /** Behind the buttons; undefined where there can be none. */
  readonly listId: string | undefined;
  /** Filters that a press puts in place of the present one. */
  readonly offered: readonly (QuickFilter & { readonly count: number })[];
  readonly remarks: readonly Phrase[];
}

/**
 * One page of the instances that match, after a summary of all of them. The list's own words say whether it is whole, and
 * of when. Only the lines of the page are made. Pure.
 */
export function instanceList(
  { instances, words, total, from, listId, offered, remarks }: InstancePage,
  { incomplete, leavesOut, readAtMs }: Omit<InstanceList, 'instances'>,
): Message {
  const said = [
    ...remarks,
    ...(incomplete ? [incompleteWords(incomplete, 'instances')] : []),
    ...leftOutLines(leavesOut),
    ...(readAtMs === undefined ? [] : [say`As of ${ago(readAtMs)}.`]),
  ];
  const note = said.length === 0 ? {} : { note: join(said, ' ') };
  if (total === 0)
    return { lines: [incomplete ? say`I could read no instance.` : say`There are no instances.`], ...note };
  const filters =
    listId === undefined
      ? []
      : offered.map(({ id, label, count: many }) =>
          pageButton(`${label} ${many}`, LIST_ROUTE, { listId, from: 0, quick: id }),
        );
  const narrowing = filters.length > 0 ? { filters } : {};
  if (instances.length === 0) {
    const read = incomplete ? say` that I could read` : say``;
    return { lines: [say`None of the ${total} instances${read} matches.`], ...note, ...narrowing };
  }
  const summary = summaryOf(instances, { words, total, isIncomplete: incomplete !== undefined });
  const { length: count } = instances;
  const list: List<Instance> = {
    routeId: LIST_ROUTE,
    rows: instances,
    none: { lines: [] },
    perPage: PER_PAGE,
    startOf,
    ...(count > MOST_LINES ? { columns: COLUMNS, caption: captionOf } : { bullet: instanceLine }),
    page: (part) => ({
      lines: [summary, ...partWords(part, say`, trouble first, running last`)],
      ...note,
      ...narrowing,
      ...answerAbout(LIST_ROUTE, instances),
      ...(listId === undefined
        ? {}
        : {
            picker: {
              routeId: SHOW,
              placeholder: 'Show one',
              keeps: placeValue({ listId, from: part.from }),
            },
            ...(count > 1 ? { several: severalPicker(pickedPlace({ listId, from: part.from })) } : {}),
          }),
    }),
  };
  return pageMessage(list, { from, listId });
}

function captionOf(part: Part<Instance>): string {
  return isWhole(part) ? `${part.count} instances` : `Instances ${placeWords(part)}`;
}

/** What a list never has. */
function leftOutLines(leavesOut: string | undefined): Phrase[] {
  return leavesOut === undefined ? [] : [say`${leavesOut} are not in this list.`];
}

const MAX_TROUBLE = 10;

/** How the instances are that a person may see, and those `inTrouble`, the worst first. Pure. */
export function troubleMessage(
  seen: readonly Instance[],
  inTrouble: readonly Instance[],
  of: Omit<InstanceList, 'instances'>,
): Message {
  const gap = [
    ...(of.incomplete ? [incompleteWords(of.incomplete, 'instances')] : []),
    ...leftOutLines(of.leavesOut),
  ];
  if (seen.length === 0) return { lines: [say`There are no instances.`, ...gap] };
  return {
    lines: [
      summaryOf(seen, { words: [], total: seen.length, isIncomplete: of.incomplete !== undefined }),
      ...gap,
      ...(inTrouble.length === 0 ? [say`Nothing is in trouble.`] : []),
    ],
    ...upTo(MAX_TROUBLE, inTrouble.map(instanceLine)),
    picker: { routeId: SHOW, placeholder: 'Show one' },
    ...answerAbout(LIST_ROUTE, inTrouble),
  };
}

function summaryOf(
  instances: readonly Instance[],
  {
    words,
    total,
    isIncomplete,
  }: { readonly words: readonly string[]; readonly total: number; readonly isIncomplete: boolean },
): Phrase {
  const noun = total === 1 ? 'instance' : 'instances';
  const states = statusSummary(instances);
  if (words.length === 0)
    return isIncomplete ? say`At least ${total} ${noun}: ${states}.` : say`${total} ${noun}: ${states}.`;
  const of = `${isIncomplete ? 'at least ' : ''}${total} ${noun}`;
  // What most people ask for who ask what is down.
  if (words.join(' ') === '-status:running')
    return say`${instances.length} of ${of} ${instances.length === 1 ? "isn't" : "aren't"} running: ${states}.`;
  const verb = instances.length === 1 ? 'matches' : 'match';
  return say`${instances.length} of ${of} ${verb} ${asTyped(words)}: ${states}.`;
}

/** Several of a list, and what can be done with them; the presser's rights are asked about then. */
function severalPicker(place: string): SeveralPicker {
  return {
    routeId: LIST_ROUTE,
    placeholder: 'Pick several',
    keeps: place,
    buttons: POWERS.map((power) => {
      const { label, routeId, value } = powerButton(power, place);
      return { label, routeId, value };
    }),
  };
}

const MAX_LABELS = 300;

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
  // What a stopped instance is charged is in the usage alone.
  fact(instance.status === 'running' ? 'Cost' : 'Listed cost', cost && `${counted(cost, unit)} a day`);
  fact('Price', priceWords(instance));
  fact('Address', instance.address);
  fact('Host', instance.hostname === instance.name ? undefined : instance.hostname);
  fact('IP', instance.ipAddress);
  fact('Region', instance.region);
  fact('Labels', instance.labels?.length ? plain(instance.labels.join(', '), MAX_LABELS) : undefined);
  const createdAt = Date.parse(instance.createdAt ?? '');
  if (Number.isFinite(createdAt)) facts.push(say`Created: ${time(createdAt)}`);
  const paidUntil = paidUntilOf(instance);
  if (paidUntil !== undefined) facts.push(say`Paid until: ${time(paidUntil)}`);
  return {
    lines: [
      say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${status}${health}`,
      ...underWay,
      ...marksOf(instance),
      ...facts,
    ],
    ...twoAndMenu(buttons, menu),
    ...answerAbout(SHOW, [instance]),
  };
}

/** Why it is paused, and what the service itself lets nobody do with it, as sentences. */
function marksOf(instance: Instance): readonly Phrase[] {
  const { status, isInstalling, isLocked, isDeletionProtected, endsAt } = instance;
  const { is, next } = pausedWords(instance);
  return [
    ...(status === 'paused' ? [say`It is ${is}. ${next}.`] : []),
    ...(isInstalling ? [say`It is still installing or booting: what it serves may not answer yet.`] : []),
    ...(isLocked ? [say`The hosting service has it locked: it takes no changes right now.`] : []),
    ...(isDeletionProtected ? [say`The hosting service protects it from deletion.`] : []),
    ...(endsAt === undefined ? [] : [say`It ${canceledWords(instance)}.`]),
  ];
}

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
function statusSummary(instances: readonly Instance[]): string {
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
