import { type Attempt, resultOf } from '../../core/audit/attempts.ts';
import type { Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Column } from '../../core/lists/columns.ts';
import { isWhole, type List } from '../../core/lists/list.ts';
import { endWords, keptEndSchema } from '../../core/operations/way-back.ts';
import { SCHEDULE_ROUTES } from '../../core/schedules/messages.ts';
import { duration } from '../../platform/time/duration.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { withMentions } from '../../platform/slack/message-text.ts';

/** What was asked or pressed, where the route's own word doesn't say it. */
const ROUTE_WORDS: Readonly<Record<string, string>> = {
  'agents.begin': 'go ahead with a proposal for',
  'agents.decline': 'decline a proposal for',
  'agents.stop': 'stop the agent',
  'agents.token': 'show the token of the agent',
  'access.ask': 'ask for a role',
  'access.once': 'allow once',
  'access.hours': 'allow for 8 hours',
  'access.no': 'refuse a role',
  'billing.ack': 'take the balance alert',
  'handover.take': 'take over',
  'handover.cancel': 'cancel a handover',
  [SCHEDULE_ROUTES.keep]: 'call off the next run',
  [SCHEDULE_ROUTES.longer]: 'put off the next run',
  [SCHEDULE_ROUTES.later]: 'put off the next run',
  [SCHEDULE_ROUTES.skip]: 'skip the next run',
};

/** What is done to a run of an instance rather than to the instance. */
const OF_RUNS: ReadonlySet<string> = new Set([
  SCHEDULE_ROUTES.keep,
  SCHEDULE_ROUTES.longer,
  SCHEDULE_ROUTES.later,
  SCHEDULE_ROUTES.skip,
]);

/** Only the words of these name people; in others an id is text. */
const NAME_PEOPLE: ReadonlySet<string> = new Set([
  'lamplighter.access',
  'lamplighter.agent',
  'lamplighter.handover',
]);

/**
 * "20 min ago · @ana · restart web-1 (101): done · operator, as every full member · Request 1a2b3c4d". `card`: a link to it, in the
 * history of one instance, where its name goes without saying and the rule is of no matter.
 */
function attemptLine(attempt: Attempt, card?: Phrase): Phrase {
  const { entry } = attempt;
  const { at, rule, override, requestId } = entry;
  const isOfAll = card === undefined;
  const that = isPress(entry) ? wordsOf(entry) : thatOf(entry);
  const whom = isOfAll ? whomOf(entry) : undefined;
  return [
    ...say`${ago(at)} · ${askerOf(entry)} · ${verbOf(attempt)}${isOfAll ? that : say``}${whileWords(entry)}`,
    ...(whom === undefined ? [] : say` for ${person(whom)}`),
    ...say`: ${resultOf(attempt)}${isOfAll ? '' : tookWords(attempt)}${becauseWords(attempt)}`,
    ...(isOfAll && rule !== undefined ? say` · ${withMentions(rule)}` : []),
    ...approvedWords(attempt),
    ...(isOfAll && override !== undefined ? say` · override: ${override}` : []),
    ...(isOfAll ? say` · Request ${requestId.slice(0, 8)}` : card.length > 0 ? say`.${card}` : []),
  ];
}

/** Who did it; the bot where nobody did. */
export function whoOf(by: string | undefined): Phrase {
  return by === undefined ? say`the bot` : [person(by)];
}

/** The same of what somebody asked; their schedule or an agent where that did. */
export function askerOf({ by, args, agent }: Entry): Phrase {
  if (agent !== undefined) return say`${agent}, in the name of ${whoOf(by)}`;
  const isBySchedule =
    args?.['isUnattended'] === true || (args?.['schedule'] !== undefined && args['several'] !== undefined);
  return isBySchedule ? say`the schedule of ${whoOf(by)}` : whoOf(by);
}

/** "for 4 hours", with a space before it, of what was asked only for a while. */
export function whileWords({ args }: Entry): Phrase {
  const end = keptEndSchema.safeParse(args?.['end']).data;
  return end ? say` ${endWords(end)}` : [];
}

/** The verb of what was asked; of what was begun by a press, that of the change. */
export function verbOf({ entry, end }: Attempt): string {
  const route = end?.route ?? entry.route;
  const [, verb = route] = route.split('.');
  return ROUTE_WORDS[route] ?? verb.replaceAll('-', ' ');
}

/** Whether it is about what somebody else asked for, which its words say. */
function isPress({ route }: Entry): boolean {
  return route.startsWith('approval.');
}

/** The words that were typed after the verb, with a space before them. */
function wordsOf(entry: Entry): Phrase {
  const { route, words = '' } = entry;
  if (words === '') return [];
  if (isPress(entry)) return say` "${words}"`;
  return say` ${NAME_PEOPLE.has(route) ? withMentions(words) : say`${words}`}`;
}

/** What it was about, after its verb, with a space before it: " web-1 (101)", " of staging (104)", else the words that were typed. */
export function thatOf(entry: Entry): Phrase {
  const { target, route } = entry;
  if (!target) return wordsOf(entry);
  return say`${OF_RUNS.has(route) ? say` of` : say``} ${target.name} (${target.id})`;
}

/** The reason that was given, where there is one. */
export function becauseWords({ entry: { because } }: Attempt): Phrase {
  return because === undefined ? [] : say` · because "${because}"`;
}

function approvedWords({ entry: { approvedBy, exceptFrom } }: Attempt): Phrase {
  if (approvedBy === undefined) return [];
  const exception = exceptFrom === undefined ? say`` : say` · except from ${withMentions(exceptFrom)}`;
  return say` · approved by ${person(approvedBy)}${exception}`;
}

/** Whom an answer to somebody who asked for a right is for, or whose things were taken over. */
function whomOf({ args }: Entry): string | undefined {
  const userId = args?.['userId'] ?? args?.['from'];
  return typeof userId === 'string' ? userId : undefined;
}

/** A list of attempts. */
interface AttemptList extends Pick<List<Attempt>, 'routeId' | 'words' | 'perPage'> {
  /** "11 attempts in the last 7 days, newest first". */
  readonly head: Phrase;
  /** What is said beside it, and instead where there are none. */
  readonly besides: readonly Phrase[];
  /** There are more than were read. */
  readonly isCut: boolean;
  /** Links to the cards, where the list is the history of one instance. */
  readonly cards?: ReadonlyMap<Attempt, Phrase>;
  /** How to see less, or all at once, of what takes more than a page. */
  readonly hint?: Phrase;
}

/** Attempts as a list, newest first. */
export function attemptList(
  rows: readonly Attempt[],
  { head, besides, isCut, cards, hint, ...of }: AttemptList,
): List<Attempt> {
  return {
    ...of,
    rows,
    none: { lines: besides },
    bullet: (attempt) => attemptLine(attempt, cards && (cards.get(attempt) ?? say``)),
    page: (part) => {
      const { from, count } = part;
      const place = say` (${from + 1} to ${from + part.rows.length} of ${isCut ? say`the newest ` : ''}${count})`;
      return {
        lines: [say`${head}${isWhole(part) ? say`` : place}:`, ...besides],
        ...(hint && !isWhole(part) ? { note: hint } : {}),
      };
    },
  };
}

/** The results of what was begun and came to its end. */
const THROUGH = new Set<string | undefined>(['done', 'asked', 'failed', 'unknown']);

/** How long it took, as its card says, where it came to its end. */
export function tookWords({ end }: Attempt): string {
  const isThrough = end !== undefined && THROUGH.has(end.result);
  return isThrough && end.tookMs !== undefined ? `, after ${duration(end.tookMs)}` : '';
}

/** What a file has of each entry. */
export const AUDIT_COLUMNS: readonly Column<Recorded>[] = [
  { head: 'number', csv: ({ seq }) => String(seq) },
  { head: 'time', csv: ({ entry }) => new Date(entry.at).toISOString() },
  { head: 'what', csv: ({ entry }) => entry.what },
  { head: 'result', csv: ({ entry }) => entry.result },
  { head: 'who', csv: ({ entry }) => entry.by },
  { head: 'channel', csv: ({ entry }) => entry.channelId },
  { head: 'route', csv: ({ entry }) => entry.route },
  { head: 'words', csv: ({ entry }) => entry.words },
  { head: 'instance id', csv: ({ entry }) => entry.target?.id },
  { head: 'instance name', csv: ({ entry }) => entry.target?.name },
  { head: 'rule', csv: ({ entry }) => entry.rule },
  { head: 'because', csv: ({ entry }) => entry.because },
  { head: 'override', csv: ({ entry }) => entry.override },
  { head: 'approved by', csv: ({ entry }) => entry.approvedBy },
  { head: 'except from', csv: ({ entry }) => entry.exceptFrom },
  { head: 'answer', csv: ({ entry }) => entry.answer },
  { head: 'reference', csv: ({ entry }) => entry.requestId },
  { head: 'agent', csv: ({ entry }) => entry.agent },
];
