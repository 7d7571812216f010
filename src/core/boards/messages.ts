import { shownOf } from '../../platform/slack/render.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { byName } from '../instances/facts.ts';
import { type List, pageButton } from '../lists/list.ts';
import { type Row, ROW_STATES, type RowState } from './row.ts';

const ICONS: Readonly<Record<RowState, string>> = {
  failed: '❌',
  unknown: '❔',
  asked: '📨',
  running: '⏳',
  waiting: '⏳',
  canceled: '⚪',
  done: '✅',
};

const WORDS: Readonly<Record<RowState, string>> = {
  failed: 'failed',
  unknown: 'unknown',
  asked: 'asked',
  running: 'in progress',
  waiting: 'waiting',
  canceled: 'canceled',
  done: 'done',
};

/** So many rows stand on a board in whole; of the others only the names … */
const MAX_WHOLE_ROWS = 40;
/** … and fewer on a board of a crowd, so that all names have room. */
const CROWD = 100;
const MAX_ROWS_OF_CROWD = 8;
const MAX_NAMES_CHARACTERS = 1_300;
/** So many that are done are folded up. */
const FOLDED_FROM = 5;
const MAX_REPLY_LINES = 40;
const MAX_MENU_LINES = 5;
/** The others are in the menu. */
const MAX_BUTTONS = 2;
const MAX_NAME = 40;

export type Shown = Row & { readonly operationId: string };

/** The board of several operations: how many stand where, then a row each, what needs somebody first. Pure. */
export function boardMessage(boardId: string, members: readonly Shown[], showRoute: string): Message {
  const header = members.find((one) => one.header)?.header;
  const rows = inOrder(members);
  const most = rows.length > CROWD ? MAX_ROWS_OF_CROWD : MAX_WHOLE_ROWS;
  const whole = rows.slice(0, most);
  const rest = rows.slice(most);
  const paging = rest.length > 0 ? [pageButton('Show all', showRoute, { listId: boardId, from: 0 })] : [];
  const { buttons: ofHeader = [] } = header ?? {};
  const visible = MAX_BUTTONS - paging.length;
  const buttons = [...ofHeader.slice(0, visible), ...paging];
  const menu = [...ofHeader.slice(visible), ...stepsOf(rows)].slice(0, MAX_MENU_LINES);
  return {
    lines: [...(header?.lines ?? []), say`${summary(rows)}`],
    ...listOf(whole, rest),
    ...(header ? { note: header.note } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(menu.length > 0 ? { menu } : {}),
  };
}

/** The rows as lines. Many that are done are folded up, so that a phone shows what isn't. */
function listOf(whole: readonly Shown[], rest: readonly Shown[]): Pick<Message, 'bullets' | 'folded'> {
  const done = whole.filter(({ state }) => state === 'done');
  if (done.length < FOLDED_FROM) return { bullets: [...whole.map(textOf), ...namesOf(rest)] };
  const open = whole.filter(({ state }) => state !== 'done');
  return {
    bullets: [...open.map(textOf), ...namesOf(rest)],
    folded: { title: `Done: ${done.length}`, bullets: done.map(textOf) },
  };
}

/** All rows of a board for one person, page by page. Pure. */
export function boardList(members: readonly Shown[], routeId: string): List<Shown> {
  const rows = inOrder(members);
  return {
    routeId,
    rows,
    none: { lines: [say`${summary(rows)}`] },
    bullet: textOf,
    page: ({ from, rows: shown }) => ({
      lines: [say`${summary(rows)} ${from + 1} to ${from + shown.length}:`],
    }),
  };
}

/** As many ends as fit into one reply, the first first; each mentions who waits for it. Pure. */
export function fittingReply<T extends Pick<Row, 'reply'>>(ended: readonly T[]): readonly T[] {
  const some = ended.slice(0, MAX_REPLY_LINES);
  return some.slice(0, Math.max(1, shownOf(replyMessage(some)).bullets));
}

/** The reply that tells several ends. Pure. */
export function replyMessage(ended: readonly Pick<Row, 'reply'>[]): Message {
  const [first, ...others] = ended.flatMap(({ reply }) => (reply ? [reply] : []));
  if (first && others.length === 0) return { lines: [first] };
  return { lines: [say`${ended.length} have ended:`], bullets: first ? [first, ...others] : [] };
}

/** What needs somebody first; then what changed last, or by name in a batch, whose rows end almost together. */
function inOrder(members: readonly Shown[]): readonly Shown[] {
  const newestFirst = (one: Shown, other: Shown): number =>
    one.ofBatch === undefined ? other.at - one.at : 0;
  const rank = (state: RowState): number => ROW_STATES.indexOf(state);
  return members
    .filter((one) => !one.header)
    .toSorted(
      (one, other) =>
        rank(one.state) - rank(other.state) || newestFirst(one, other) || byName(one.name, other.name),
    );
}

/** "24 operations: 1 failed, 12 running, 11 done." */
function summary(members: readonly Shown[]): string {
  const counts = ROW_STATES.flatMap((state) => {
    const count = members.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${WORDS[state]}`];
  });
  const what = members.length === 1 ? '1 operation' : `${members.length} operations`;
  const [state] = members;
  return `${what}: ${counts.length === 1 && state ? `${members.length === 1 ? '' : 'all '}${WORDS[state.state]}` : counts.join(', ')}.`;
}

function textOf({ state, says }: Shown): Phrase {
  return say`${ICONS[state]} ${says}`;
}

/** What has no room for a row of its own, by name: "✅ done: web-1, web-2". */
function namesOf(rest: readonly Shown[]): readonly Phrase[] {
  return ROW_STATES.flatMap((state) => {
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

/** What can be done next, for the few rows that a menu takes. */
function stepsOf(rows: readonly Shown[]): readonly Button[] {
  return rows
    .flatMap(({ steps, name }) =>
      steps.slice(0, 1).map((step) => ({ ...step, label: `${step.label}: ${plain(name, MAX_NAME)}` })),
    )
    .slice(0, MAX_MENU_LINES);
}
