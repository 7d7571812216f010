import { type Attempt, resultOf } from '../../core/audit/attempts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { endWords, keptEndSchema } from '../../core/operations/way-back.ts';
import { SCHEDULE_ROUTES } from '../../core/schedules/messages.ts';
import { duration } from '../../core/operations/duration-words.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { withMentions } from '../../platform/slack/with-mentions.ts';
import { csvLine } from '../../platform/csv.ts';

const MAX_SHOWN = 30;

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

/** "20 min ago · @ana · restart web-1 (101): done · operator, as every full member · Request 1a2b3c4d". */
function attemptLine(attempt: Attempt): Phrase {
  const { at, rule, override, requestId } = attempt.entry;
  const whom = whomOf(attempt.entry);
  return [
    ...say`${ago(at)} · ${askerOf(attempt.entry)} · ${verbOf(attempt)}`,
    ...(isPress(attempt.entry) ? wordsOf(attempt.entry) : thatOf(attempt.entry)),
    ...whileWords(attempt.entry),
    ...(whom === undefined ? [] : say` for ${person(whom)}`),
    ...say`: ${resultOf(attempt)}`,
    ...becauseWords(attempt),
    ...(rule === undefined ? [] : say` · ${withMentions(rule)}`),
    ...approvedWords(attempt),
    ...(override === undefined ? [] : say` · override: ${override}`),
    ...say` · Request ${requestId.slice(0, 8)}`,
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

/** What a list of attempts is of. */
interface AuditScope {
  /** "in the last 7 days". */
  readonly when: Phrase;
  /** Words with which none of the attempts has to do. */
  readonly unmet: readonly string[];
  /** There are more of that time than were read. */
  readonly isCut: boolean;
}

/** Attempts, newest first. */
export function auditMessage(attempts: readonly Attempt[], { when, unmet, isCut }: AuditScope): Message {
  const about = unmet.map((word) => `"${word}"`).join(' or ');
  const none =
    unmet.length === 0
      ? []
      : [
          say`I found nothing about ${about} ${when}. You can search for people (@ana), instances, commands (restart), results (failed, refused) and references.`,
        ];
  if (attempts.length === 0)
    return { lines: none.length > 0 ? none : [say`I found no such attempts ${when}.`] };
  const shown = attempts.slice(0, MAX_SHOWN);
  const more = attempts.length - shown.length;
  return {
    lines: [
      attempts.length === 1
        ? say`One attempt ${when}:`
        : say`${isCut ? say`At least ` : ''}${attempts.length} attempts ${when}, newest first:`,
      ...none,
    ],
    bullets: shown.map(attemptLine),
    ...(more > 0
      ? {
          note: say`${more} older ones are not shown. With --csv you get all as a file; --last, @who and a name narrow it.`,
        }
      : {}),
  };
}

/** One page of what was done with one instance. `links`: to the card of each, where it is known. */
export function historyMessage(
  name: Phrase,
  attempts: readonly Attempt[],
  links: readonly Phrase[],
  {
    from,
    total,
    when,
    buttons,
  }: {
    readonly from: number;
    readonly total: number;
    /** "in the last 30 days". */
    readonly when: Phrase;
    readonly buttons: readonly Button[];
  },
): Message {
  if (attempts.length === 0)
    return { lines: [say`I made no ${from > 0 ? say`older ` : ''}changes to ${name} ${when}.`] };
  const which =
    total === attempts.length ? say`` : say` (${from + 1} to ${from + attempts.length} of ${total})`;
  return {
    lines: [say`Changes to ${name} ${when}, newest first${which}:`],
    bullets: attempts.map((attempt, index) => {
      const { at } = attempt.entry;
      const words = say`${verbOf(attempt)}${whileWords(attempt.entry)}: ${resultOf(attempt)}${tookWords(attempt)}${becauseWords(attempt)}${approvedWords(attempt)}`;
      const link = links[index];
      return say`${ago(at)} · ${askerOf(attempt.entry)} · ${words}${link && link.length > 0 ? say`.${link}` : say``}`;
    }),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

/** The results of what was begun and came to its end. */
const THROUGH = new Set<string | undefined>(['done', 'asked', 'failed', 'unknown']);

/** How long it took, as its card says, where it came to its end. */
export function tookWords({ end }: Attempt): string {
  const isThrough = end !== undefined && THROUGH.has(end.result);
  return isThrough && end.tookMs !== undefined ? `, after ${duration(end.tookMs)}` : '';
}

const COLUMNS = [
  'number',
  'time',
  'what',
  'result',
  'who',
  'channel',
  'route',
  'words',
  'instance id',
  'instance name',
  'rule',
  'because',
  'override',
  'approved by',
  'except from',
  'answer',
  'reference',
  'agent',
] as const;

/** The same as a file: a line for each entry, newest first. */
export function auditCsv(
  recorded: readonly { readonly seq: number; readonly entry: Attempt['entry'] }[],
): string {
  const lines = recorded.map(({ seq, entry }) =>
    csvLine([
      String(seq),
      new Date(entry.at).toISOString(),
      entry.what,
      entry.result ?? '',
      entry.by ?? '',
      entry.channelId ?? '',
      entry.route,
      entry.words ?? '',
      entry.target?.id ?? '',
      entry.target?.name ?? '',
      entry.rule ?? '',
      entry.because ?? '',
      entry.override ?? '',
      entry.approvedBy ?? '',
      entry.exceptFrom ?? '',
      entry.answer ?? '',
      entry.requestId,
      entry.agent ?? '',
    ]),
  );
  return [csvLine(COLUMNS), ...lines].join('');
}
