import { type Attempt, resultOf } from '../../core/audit/attempts.ts';
import type { Message } from '../../platform/slack/message.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { typed } from '../../platform/slack/typed.ts';
import { csvLine } from '../../platform/csv.ts';

const MAX_SHOWN = 30;

/** "20 min ago · @ana · restart web-1 (101): done · operator, as every full member · Ref 1a2b3c4d". */
function attemptLine(attempt: Attempt): Phrase {
  const { at, by, route, words, target, rule, override, approvedBy, ref } = attempt.entry;
  const who = by === undefined ? say`the bot` : [person(by)];
  const [, verb = route] = route.split('.');
  const what = target
    ? say`${verb} ${target.name} (${target.id})`
    : [...say`${verb}`, ...(words === undefined ? [] : say` ${typed(words)}`)];
  const result = resultOf(attempt);
  const answer = attempt.end?.answer ?? result;
  const why = answer === result ? say`` : say` · ${answer}`;
  return [
    ...say`${ago(at)} · ${who} · ${what}: ${result}${why}`,
    ...(rule === undefined ? [] : say` · ${rule}`),
    ...(approvedBy === undefined ? [] : say` · approved by ${person(approvedBy)}`),
    ...(override === undefined ? [] : say` · override: ${override}`),
    ...say` · Ref ${ref.slice(0, 8)}`,
  ];
}

/** Attempts, newest first. `isCut`: there are more of that time than were read. */
export function auditMessage(attempts: readonly Attempt[], isCut: boolean): Message {
  if (attempts.length === 0) return { lines: [say`I found no attempts in that time.`] };
  const shown = attempts.slice(0, MAX_SHOWN);
  const more = attempts.length - shown.length;
  return {
    lines: [
      attempts.length === 1
        ? say`One attempt:`
        : say`${isCut ? 'At least ' : ''}${attempts.length} attempts, the newest first:`,
    ],
    bullets: shown.map(attemptLine),
    ...(more > 0
      ? {
          note: say`${more} older ones are not shown. With --csv you get all as a file; --last, @who and a name narrow it.`,
        }
      : {}),
  };
}

/** What was done with one instance. `links`: to the card of each, where it is known. */
export function historyMessage(
  name: Phrase,
  attempts: readonly Attempt[],
  links: readonly Phrase[],
): Message {
  if (attempts.length === 0)
    return { lines: [say`Nothing was done with ${name} through me in the last 30 days.`] };
  return {
    lines: [say`What was done with ${name} through me in the last 30 days, the newest first:`],
    bullets: attempts.map((attempt, index) => {
      const { at, by, route } = attempt.entry;
      const [, verb = route] = route.split('.');
      const who = by === undefined ? say`the bot` : [person(by)];
      return say`${ago(at)} · ${who} · ${verb}: ${resultOf(attempt)}${links[index] ?? say``}`;
    }),
  };
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
  'override',
  'approved by',
  'answer',
  'reference',
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
      entry.override ?? '',
      entry.approvedBy ?? '',
      entry.answer ?? '',
      entry.ref,
    ]),
  );
  return [csvLine(COLUMNS), ...lines].join('');
}
