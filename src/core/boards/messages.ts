import { shownOf } from '../../platform/slack/render.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { byName } from '../instances/by-name.ts';
import { type Line, LINE_STATES, type LineState } from './line.ts';

const ICONS: Readonly<Record<LineState, string>> = {
  failed: '❌',
  unknown: '❔',
  asked: '📨',
  running: '⏳',
  waiting: '⏳',
  cancelled: '⚪',
  done: '✅',
};

const WORDS: Readonly<Record<LineState, string>> = {
  failed: 'failed',
  unknown: 'unknown',
  asked: 'asked',
  running: 'running',
  waiting: 'waiting',
  cancelled: 'cancelled',
  done: 'done',
};

/** So many lines stand on a board in whole; of the others only the names … */
const MAX_WHOLE_LINES = 40;
/** … and fewer on a board of a crowd, so that all names have room. */
const CROWD = 100;
const MAX_LINES_OF_CROWD = 8;
const MAX_NAMES_CHARACTERS = 1_300;
const MAX_REPLY_LINES = 40;
const MAX_MENU_LINES = 5;
/** The others are in the menu. */
const MAX_BUTTONS = 2;
const MAX_NAME = 40;

export type Shown = Line & { readonly operationId: string };

/** The board of several operations: how many stand where, then a line each, what needs somebody first. Pure. */
export function boardMessage(boardId: string, members: readonly Shown[], showRoute: string): Message {
  const head = members.find((one) => one.head)?.head;
  const lines = inOrder(members);
  const most = lines.length > CROWD ? MAX_LINES_OF_CROWD : MAX_WHOLE_LINES;
  const whole = lines.slice(0, most);
  const rest = lines.slice(most);
  const paging = rest.length > 0 ? [pageButton('Show all', boardId, 0, showRoute)] : [];
  const { buttons: ofHead = [] } = head ?? {};
  const visible = MAX_BUTTONS - paging.length;
  const buttons = [...ofHead.slice(0, visible), ...paging];
  const menu = [...ofHead.slice(visible), ...stepsOf(lines)].slice(0, MAX_MENU_LINES);
  return {
    lines: [...(head?.lines ?? []), say`${summary(lines)}`],
    bullets: [...whole.map(lineOf), ...namesOf(rest)],
    ...(head ? { note: head.note } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(menu.length > 0 ? { menu } : {}),
  };
}

/** All lines of a board for one person, from the `from`th on, counted from 0: as many as a message takes. Pure. */
export function boardPage(
  boardId: string,
  members: readonly Shown[],
  from: number,
  showRoute: string,
): Message {
  const lines = inOrder(members);
  const turn = (label: string, to: number): Button => pageButton(label, boardId, to, showRoute);
  const page = (shown: number): Message => ({
    lines: [say`${summary(lines)} ${from + 1} to ${from + shown}:`],
    bullets: lines.slice(from, from + shown).map(lineOf),
    buttons: [
      ...(from > 0 ? [turn('Previous', Math.max(0, from - MAX_WHOLE_LINES))] : []),
      ...(from + shown < lines.length ? [turn('Next', from + shown)] : []),
    ],
  });
  const { buttons = [], ...message } = page(shownOf(page(MAX_WHOLE_LINES)).bullets);
  return buttons.length > 0 ? { ...message, buttons } : message;
}

/** As many ends as fit into one reply, the first first; each mentions who waits for it. Pure. */
export function fittingReply<T extends Pick<Line, 'reply'>>(ended: readonly T[]): readonly T[] {
  const some = ended.slice(0, MAX_REPLY_LINES);
  return some.slice(0, Math.max(1, shownOf(replyMessage(some)).bullets));
}

/** The reply that tells several ends. Pure. */
export function replyMessage(ended: readonly Pick<Line, 'reply'>[]): Message {
  const [first, ...others] = ended.flatMap(({ reply }) => (reply ? [reply] : []));
  if (first && others.length === 0) return { lines: [first] };
  return { lines: [say`${ended.length} have ended:`], bullets: first ? [first, ...others] : [] };
}

/** What needs somebody first; then what changed last, or by name in a batch, whose lines end almost together. */
function inOrder(members: readonly Shown[]): readonly Shown[] {
  const newestFirst = (one: Shown, other: Shown): number =>
    one.ofBatch === undefined ? other.at - one.at : 0;
  const rank = (state: LineState): number => LINE_STATES.indexOf(state);
  return members
    .filter((one) => !one.head)
    .toSorted(
      (one, other) =>
        rank(one.state) - rank(other.state) || newestFirst(one, other) || byName(one.name, other.name),
    );
}

/** "24 operations: 1 failed, 12 running, 11 done." */
function summary(members: readonly Shown[]): string {
  const counts = LINE_STATES.flatMap((state) => {
    const count = members.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${WORDS[state]}`];
  });
  const what = members.length === 1 ? '1 operation' : `${members.length} operations`;
  const [state] = members;
  return `${what}: ${counts.length === 1 && state ? `all ${WORDS[state.state]}` : counts.join(', ')}.`;
}

function lineOf({ state, says }: Shown): Phrase {
  return say`${ICONS[state]} ${says}`;
}

/** What has no room for a line of its own, by name: "✅ done: web-1, web-2". */
function namesOf(rest: readonly Shown[]): readonly Phrase[] {
  return LINE_STATES.flatMap((state) => {
    const names = rest.filter((one) => one.state === state).map(({ name }) => plain(name, MAX_NAME));
    return inRoom(names).map((some) => say`${ICONS[state]} ${WORDS[state]}: ${{ type: 'text', text: some }}`);
  });
}

/** Names in texts of a bullet's size. */
function inRoom(names: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const name of names) {
    const last = texts.at(-1);
    if (last === undefined || last.length + name.length > MAX_NAMES_CHARACTERS) texts.push(name);
    else texts[texts.length - 1] = `${last}, ${name}`;
  }
  return texts;
}

/** What can be done next, for the few lines that a menu takes. */
function stepsOf(lines: readonly Shown[]): readonly Button[] {
  return lines
    .flatMap(({ steps, name }) =>
      steps.slice(0, 1).map((step) => ({ ...step, label: `${step.label}: ${plain(name, MAX_NAME)}` })),
    )
    .slice(0, MAX_MENU_LINES);
}

/** What a page button asks for: of which board, from which line on. */
export function parsePage(value: string): { readonly boardId: string; readonly from: number } {
  const [from = '', boardId = ''] = value.split(' ');
  return { boardId, from: /^\d{1,4}$/.test(from) ? Number(from) : 0 };
}

function pageButton(label: string, boardId: string, from: number, routeId: string): Button {
  return { label, routeId, value: `${from} ${boardId}` };
}
