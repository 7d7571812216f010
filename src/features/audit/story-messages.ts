import { OUTCOME_ICONS } from '../../core/operations/messages.ts';
import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import { resultOf } from '../../core/audit/attempts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { SIGHT_WORDS } from '../../core/audit/audit-words.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { duration } from '../../platform/time/duration.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { code, join, person, type Phrase, say, time, toPlainText } from '../../platform/slack/phrase.ts';
import { askerOf, becauseWords, thatOf, tookWords, verbOf, whileWords, whoOf } from './messages.ts';
import { isOfMoney, type StoryLine, TAKEN_OVER } from './story.ts';

/** With its head and its buttons, as much as a phone shows without getting lost. */
const MAX_SHOWN = 15;
const MAX_NAMED = 3;

/** What people did by a press, where its route alone says it badly. Before a colon, or before what was to be done. */
const DID: Readonly<Record<string, string>> = {
  'instances.on-it': 'is on it',
  'instances.snooze': 'snoozed it',
  'instances.end-snooze': 'ended the snooze',
  'lamplighter.story': 'shared a story',
  'billing.ack': 'is on the alert',
  'billing.still': 'is still on the alert',
  'billing.hand-back': 'handed the alert back',
  'billing.snooze': 'snoozed the alert',
  'billing.unsnooze': 'ended the snooze of the alert',
};
const DECIDED: Readonly<Record<string, string>> = {
  [APPROVAL_ROUTES.approve]: 'approved',
  [APPROVAL_ROUTES.refuse]: 'refused',
  [APPROVAL_ROUTES.withdraw]: 'canceled',
};
const SIGHTS: Readonly<Record<string, string>> = SIGHT_WORDS;
/** What became of money, after what it is: "The balance is low". */
const MONEY: Readonly<Record<string, string>> = {
  ok: 'is fine',
  warn: 'is low',
  critical: 'is critical',
  empty: 'is used up',
  paused: 'is used up, and instances are paused',
  unreadable: "can't be read",
  recovered: 'is fine again',
  'seen-again': 'can be read again',
  off: 'is not watched any more',
  'other thresholds': 'is within other thresholds',
  'month over': 'begins anew with the month',
  'another budget': 'was changed',
  'no budget': 'was cleared',
};
/** As they are recorded: any text. */
const ICONS: Readonly<Record<string, string>> = OUTCOME_ICONS;

/** What a story is about and how much of it there is. */
export interface Told {
  /** "in the last 24 hours". */
  readonly when: Phrase;
  /** The words of what was asked for; none for everything. */
  readonly things: readonly string[];
  /** Whose part in it was asked for; none for everybody's. */
  readonly userIds: readonly string[];
  /** Words with which none of it has to do. */
  readonly unmet: readonly string[];
  /** There is more of that time than was read. */
  readonly isCut: boolean;
  /** There may be more that they may not see. */
  readonly isPart: boolean;
  /** A link to the card of what it is about, as a sentence; nothing where there is none. */
  readonly link: Phrase;
}

/** A story for a screen: its newest lines, the oldest of them first. */
export function storyMessage(lines: readonly StoryLine[], told: Told, buttons: readonly Button[]): Message {
  const unmet =
    told.unmet.length === 0
      ? []
      : [
          say`${nothingWords(told)} You can name instances, references, commands (restart) and people (@ana).`,
        ];
  if (lines.length === 0) return { lines: unmet.length > 0 ? unmet : [nothingWords(told)] };
  const shown = lines.slice(-MAX_SHOWN);
  const left = lines.length - shown.length;
  const count = told.isCut ? say`more than ${left}` : say`${left}`;
  const earlier = left === 1 && !told.isCut ? say`1 earlier line is` : say`${count} earlier lines are`;
  return {
    lines: [
      say`${subjectWords(lines, told)} ${told.when}${told.link.length > 0 ? say`.${told.link}` : say`:`}`,
      ...unmet,
    ],
    bullets: shown.map(lineWords),
    ...(left > 0 ? { note: say`${earlier} not shown. The file has ${told.isCut ? 'more' : 'all'}.` } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

/** What somebody shows to a channel. */
export function sharedStory(lines: readonly StoryLine[], told: Told, userId: string): Message {
  const { note, ...said } = storyMessage(lines, told, []);
  const left = lines.length - Math.min(lines.length, MAX_SHOWN);
  const earlier = note && say`${left} earlier ${left === 1 ? 'line is' : 'lines are'} not shown. `;
  return { ...said, note: say`${earlier ?? say``}Shared by ${person(userId)}.` };
}

/** That nothing is recorded of what was asked for, of as much of it as they may see. Pure. */
export function nothingWords({ unmet, userIds, when, isPart }: Told): Phrase {
  const what = unmet.length === 0 ? 'anything' : unmet.map((word) => `"${word}"`).join(' or ');
  const by =
    userIds.length === 0
      ? say``
      : say` by ${join(
          userIds.map((id) => [person(id)]),
          ' or ',
        )}`;
  return say`I have no record of ${what}${by}${isPart ? say` that you may see` : say``} ${when}.`;
}

/** "What happened to web-1 (101)", where all of it is about that, or "What @ana did". */
function subjectWords(lines: readonly StoryLine[], { things, userIds }: Told): Phrase {
  const all = lines.flatMap(({ entry, others }) => [entry, ...others]);
  const [first] = all.flatMap(({ target }) => target ?? []);
  const isOne = first && all.every(({ target }) => !target || target.id === first.id);
  const named = isOne ? say` to ${nameOf(first)}` : say` to ${things.join(', ')}`;
  const to = things.length === 0 ? say`` : named;
  return userIds.length === 0
    ? say`What happened${to}`
    : say`What ${join(
        userIds.map((id) => [person(id)]),
        ' and ',
      )} did${to}`;
}

/** "14:03 · @ana asked to restart web-1 (101): done, after 40 s · because "…" · 1a2b3c4d". */
function lineWords(line: StoryLine): Phrase {
  return say`${time(line.entry.at)} · ${toldWords(line)} · ${code(line.entry.requestId.slice(0, 8))}`;
}

/** A story as a file, a line for each of its lines. `isCut`: there is more than was read. Pure. */
export function storyFile(lines: readonly StoryLine[], isCut: boolean): string {
  const told = lines.map((line) => `${toPlainText(fileLine(line))}\n`).join('');
  return isCut
    ? `${told}There are earlier entries that this file leaves out. Ask for a shorter time, as in --last 6h.\n`
    : told;
}

/** One line of the file, with the second and the numbers under which the audit keeps it. */
function fileLine(line: StoryLine): Phrase {
  const { seqs, entry } = line;
  const numbers = seqs.map((seq) => `#${seq}`).join(' ');
  return say`${new Date(entry.at).toISOString()} ${numbers} ${toldWords(line)} · Reference ${entry.requestId}`;
}

/** What one line tells, without its time and its reference. */
function toldWords({ entry, end, others }: StoryLine): Phrase {
  const { what, by, route, result } = entry;
  const it = thatOf(entry);
  switch (what) {
    case 'asked':
      return say`${end ? say`${iconOf(end)} ` : say``}${askerOf(entry)} asked to ${verbOf({ entry, end })}${it}${whileWords(entry)}${end ? endOf(end) : say``}${becauseWords({ entry, end })}`;
    case 'ended':
      return say`${iconOf(entry)} ${verbOf({ entry, end: undefined })}${it}${endOf(entry)}`;
    case 'shown':
      return say`🔐 ${whoOf(by)} asked to ${verbOf({ entry, end })}${it}${whileWords(entry)}, which someone else must approve${becauseWords({ entry, end })}`;
    case 'approved':
      return say`🔐 ${whoOf(by)} approved: ${entry.words ?? ''}`;
    case 'seen':
    case 'over':
      return isOfMoney(entry) ? moneyWords(entry) : sightWords(entry, others);
    case 'set': {
      if (route === TAKEN_OVER) return takenWords(entry, others);
      const did = DID[keyOf(entry)];
      if (did !== undefined) return say`🙋 ${whoOf(by)} ${did}${entry.target ? say`:${it}` : say``}`;
      const decided = DECIDED[route];
      if (decided !== undefined) return say`⛔ ${whoOf(by)} ${decided}: ${entry.words ?? ''}`;
      return say`${askerOf(entry)}: ${verbOf({ entry, end })}${it}${untilWords(entry)}${becauseWords({ entry, end })}${result === 'done' ? say`` : say`: ${result ?? ''}`}`;
    }
    default:
      return say`⛔ ${askerOf(entry)}: ${verbOf({ entry, end })}${it}: ${resultOf({ entry, end })}${becauseWords({ entry, end })}`;
  }
}

/** Until when somebody put something off. */
function untilWords({ args }: Entry): Phrase {
  const until = args?.['until'];
  return typeof until === 'number' ? say` to ${time(until)}` : say``;
}

/** An answer to an alert that was typed says by its first word what a press says by its route. */
function keyOf({ route, words = '', of }: Entry): string {
  return route === 'billing.alerts' && of !== undefined ? `billing.${words.split(' ')[0] ?? ''}` : route;
}

function iconOf({ result = '' }: Entry): string {
  return ICONS[result] ?? '⚪';
}

function endOf(end: Entry): Phrase {
  const by = end.result === 'canceled' && end.by !== undefined ? say` by ${person(end.by)}` : say``;
  return say`: ${resultOf({ entry: end, end: undefined })}${by}${tookWords({ entry: end, end })}`;
}

function sightWords(entry: Entry, others: readonly Entry[]): Phrase {
  const { what, result = '', tookMs } = entry;
  const names = namesOf([entry, ...others]);
  if (what === 'seen') {
    return say`👁️ ${names}: ${SIGHTS[result] ?? result}, and nobody had asked me for it`;
  }
  const now = result === 'running' ? 'running again' : result === 'left' ? 'not watched any more' : result;
  return say`👁️ ${names}: ${now}${tookMs === undefined ? '' : `, after ${duration(tookMs)}`}`;
}

/** "@bob took over from @ana: web-1 (101), web-2 (102)". */
function takenWords(entry: Entry, others: readonly Entry[]): Phrase {
  const from = entry.args?.['from'];
  const whose = typeof from === 'string' ? say` from ${person(from)}` : say``;
  const what = entry.target ? say`: ${namesOf([entry, ...others])}` : say``;
  return say`🤝 ${whoOf(entry.by)} took over${whose}${what}`;
}

/** "web-1 (101), web-2 (102) and 3 more". */
function namesOf(entries: readonly Entry[]): Phrase {
  const all = entries.flatMap(({ target }) => target ?? []);
  const named = all.slice(0, MAX_NAMED).map((one) => say`${one.name} (${one.id})`);
  const more = all.length - named.length;
  return say`${join(named, ', ')}${more > 0 ? say` and ${more} more` : say``}`;
}

/** "The balance is critical: 420". */
function moneyWords({ result = '', args, answer }: Entry): Phrase {
  const about = args?.['about'] === 'budget' ? 'budget' : 'balance';
  const userId = args?.['userId'];
  if (typeof userId === 'string') {
    return result === 'told'
      ? say`🔔 I told ${person(userId)} directly about the ${about}`
      : say`🔔 ${person(userId)} did not answer, so nobody was on the alert`;
  }
  const figure = answer === undefined ? say`` : say`: ${answer}`;
  return say`🔔 The ${about} ${MONEY[result] ?? result}${figure}`;
}
