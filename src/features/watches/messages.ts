import { SIGHT_WORDS } from '../../core/audit/audit-words.ts';
import { partsOf } from '../../core/instances/filter.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { duration } from '../../platform/time/duration.ts';
import { type Message, upTo } from '../../platform/slack/message.ts';
import { channel, person, type Phrase, say, strong, time } from '../../platform/slack/phrase.ts';
import { unansweredSince } from './judge.ts';
import { buttonsOf, menuOf, type PowerRoutes } from './card-buttons.ts';
import { type Trouble, WORST_FIRST } from './states.ts';
import { type Card, isOpen, isOver, type Member, type Watch, lineOf } from './watch.ts';

const ICONS: Readonly<Record<Member['what'], string>> = {
  error: '🔴',
  unhealthy: '🟡',
  stopped: '⚫',
  paused: '🟠',
  deleted: '🗑️',
  created: '🆕',
};
const BEGAN: Readonly<Record<Member['what'], string>> = SIGHT_WORDS;
const WAS: Readonly<Record<Member['what'], string>> = {
  error: 'had reported an error',
  unhealthy: 'had been unhealthy',
  stopped: 'had been stopped',
  paused: 'had been paused',
  deleted: 'had been gone',
  created: 'had been there',
};
/** What is so of several, after their number. */
const SO: Readonly<Record<Member['what'], string>> = {
  error: 'in error',
  unhealthy: 'unhealthy',
  stopped: 'stopped',
  paused: 'paused',
  deleted: 'deleted',
  created: 'created',
};
const MAX_NAMED = 30;

/** One card as things stand. Pure. */
export function cardMessage(watch: Watch, card: Card, routes: PowerRoutes): Message {
  switch (card.kind) {
    case 'hello':
      return helloMessage(watch, card);
    case 'paused':
      return pausedMessage(watch);
    case 'incident':
      return incidentMessage(watch, card, routes);
  }
}

function helloMessage(watch: Watch, { count }: Card): Message {
  const many = count === undefined ? '' : count === 1 ? ', 1 instance now' : `, ${count} instances now`;
  // What is watched by its name is there already.
  const created = watch.instances.length > 0 ? say`` : say` created,`;
  const byLabel = watch.filters.some((word) => partsOf(word).field === 'label');
  const setBy = say`Set by ${person(watch.setBy.userId)}.`;
  const stop = say`To stop, type /instances unwatch ${lineOf(watch)}`;
  return {
    lines: [
      say`👁️ Watching ${strong(lineOf(watch))} here${many}. I'll post here when one is stopped, deleted, paused,${created} unhealthy or in error, unless someone asked me to.`,
    ],
    note: byLabel ? say`${setBy} I read the labels anew each time I check. ${stop}` : say`${setBy} ${stop}`,
  };
}

function pausedMessage(watch: Watch): Message {
  const who = person(watch.setBy.userId);
  return {
    lines: [
      watch.pausedAt === undefined
        ? say`▶️ Watching ${strong(lineOf(watch))} again: ${who}, who set it, may see instances again. What happened meanwhile is not shown here.`
        : say`⏸️ Watching ${strong(lineOf(watch))} is paused: ${who}, who set it, can't watch these instances any more. An admin can give them a role, or someone else can set it.`,
    ],
  };
}

function incidentMessage(watch: Watch, card: Card, routes: PowerRoutes): Message {
  const over = isOver(card);
  const [only, ...others] = card.members;
  const lines = only && others.length === 0 ? aloneLines(only) : groupLines(card);
  const buttons = over ? [] : buttonsOf(watch, card, routes);
  const menu = menuOf(watch, card, routes);
  return {
    lines: [...lines, ...answeredLines(card, over)],
    ...(others.length > 0 ? bulletsOf(card) : {}),
    note: say`Watch: ${lineOf(watch)}`,
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(menu.length > 0 ? { menu } : {}),
  };
}

function aloneLines(member: Member): Phrase[] {
  const { what, since, times } = member;
  const often = times > 1 ? say` It came and went ${times} times.` : say``;
  if (member.ended) return [say`${endWords(member)}${often}`, say`It ${WAS[what]} since ${time(since)}.`];
  return [say`${beganWords(member)}. Nobody asked me for that.`, say`Seen ${time(since)}.${often}`];
}

/** What a card is about, in half a sentence. Pure. */
export function cardWords({ members }: Card): Phrase {
  const [only, ...others] = members;
  return only && others.length === 0
    ? beganWords(only)
    : say`${members.length} instances changed: ${countWords(members)}`;
}

function beganWords({ id, name, what }: Member): Phrase {
  return say`${ICONS[what]} ${nameOf({ id, name })} ${BEGAN[what]}`;
}

/** How one member's trouble ended: "✅ web-1 (101) is running again, after 12 min." */
function endWords({ id, name, what, since, ended }: Member): Phrase {
  const it = nameOf({ id, name });
  const { at = since, now = 'left' } = ended ?? {};
  const after = duration(at - since);
  if (now === 'left') return say`⚪ ${it} isn't watched any more.`;
  if (now !== 'running')
    return say`➡️ ${it} is not ${SO[what]} any more: it is ${SO[now]} now, after ${after}.`;
  return what === 'unhealthy'
    ? say`✅ ${it} is healthy again, after ${after}.`
    : say`✅ ${it} is running again, after ${after}.`;
}

function groupLines({ members, at }: Card): Phrase[] {
  const open = members.filter(isOpen);
  const ended = members.filter((one) => one.ended !== undefined);
  if (open.length === 0 && ended.length > 0) {
    const last = Math.max(...ended.map((one) => one.ended?.at ?? at));
    const isAll = ended.every((one) => one.ended?.now === 'running');
    const head = isAll
      ? say`✅ All ${ended.length} are running again, after ${duration(last - at)}.`
      : say`⚪ All ${ended.length} have changed again, after ${duration(last - at)}: ${endedWords(ended)}.`;
    return [head, say`Changed ${time(at)}: ${countWords(members)}.`];
  }
  const worst = WORST_FIRST.find((what) => members.some((one) => one.what === what)) ?? 'error';
  const again = ended.length === 0 ? [] : [say`By now ${endedWords(ended)}.`];
  return [
    say`${ICONS[worst]} ${strong(`${members.length} instances changed`)}: ${countWords(members)}. Nobody asked me for that.`,
    say`Seen ${time(at)}.`,
    ...again,
  ];
}

/** "38 stopped, 2 in error". */
function countWords(members: readonly Member[]): string {
  return WORST_FIRST.flatMap((what) => {
    const count = members.filter((one) => one.what === what).length;
    return count === 0 ? [] : [`${count} ${SO[what]}`];
  }).join(', ');
}

/** "12 are running again, 1 is stopped". */
function endedWords(ended: readonly Member[]): string {
  const states: readonly (Trouble | 'running' | 'left')[] = [
    'running',
    ...WORST_FIRST.filter(isTrouble),
    'left',
  ];
  return states
    .flatMap((now) => {
      const count = ended.filter((one) => one.ended?.now === now).length;
      const so = now === 'running' ? 'running again' : now === 'left' ? 'not watched any more' : SO[now];
      return count === 0 ? [] : [`${count} ${count === 1 ? 'is' : 'are'} ${so}`];
    })
    .join(', ');
}

function isTrouble(what: Member['what']): what is Trouble {
  return what !== 'created';
}

function bulletsOf({ members }: Card): Pick<Message, 'bullets' | 'moreBullets'> {
  const inOrder = members.toSorted(
    (one, other) =>
      Number(isOpen(other)) - Number(isOpen(one)) ||
      WORST_FIRST.indexOf(one.what) - WORST_FIRST.indexOf(other.what),
  );
  const lines = inOrder.map((one) =>
    one.ended ? endWords(one) : say`${beganWords(one)}${one.times > 1 ? `, ${one.times} times` : ''}`,
  );
  return upTo(MAX_NAMED, lines);
}

function answeredLines({ onIt, snoozed, members }: Card, over: boolean): Phrase[] {
  const quiet =
    snoozed && !over ? [say`🔕 Snoozed by ${person(snoozed.by)} until ${time(snoozed.until)}.`] : [];
  if (onIt) return [say`🙋 ${person(onIt.by)} is on it.`, ...quiet];
  return members.some(isOpen) ? [say`Unacknowledged.`, ...quiet] : quiet;
}

/** What somebody is told alone, since nobody is on a card: the same, and the same can be pressed. Pure. */
export function escalationMessage(watch: Watch, card: Card, routes: PowerRoutes): Message {
  const { lines, ...rest } = cardMessage(watch, card, routes);
  const where = channel(watch.channelId);
  const isOpenStill = !isOver(card) && card.onIt === undefined;
  const why = isOpenStill
    ? say`🔔 Unacknowledged in ${where} since ${time(unansweredSince(card))}, so I'm telling you directly.`
    : say`🔔 Nobody had acknowledged this in ${where}, so I told you directly.`;
  return { ...rest, lines: [why, ...lines] };
}

/** What a channel is told where nobody is reached who is called for it. Pure. */
export function nobodyReached(card: Card, why: 'away' | 'nobody'): Message {
  const since = say`🔔 Unacknowledged since ${time(unansweredSince(card))}.`;
  return {
    lines: [
      why === 'away'
        ? say`${since} Everyone on call has paused their notifications, so they may not see it.`
        : say`${since} Nobody on call may see it, or nobody is in their user groups. An admin can change who is on call with /lamplighter oncall.`,
    ],
  };
}

/** What a channel is told where a direct message about an incident reaches somebody not. Pure. */
export function unreached(userId: string): Message {
  return {
    lines: [say`🔔 Nobody is on this yet, and I couldn't send ${person(userId)} a direct message about it.`],
  };
}

/** The one reply that calls the person who was on it: an edit notifies nobody. */
export function overReply(card: Card, to: string): Message {
  const [only, ...others] = card.members;
  const words = only && others.length === 0 ? endWords(only) : (groupLines(card)[0] ?? say`It is over.`);
  return { lines: [say`${person(to)} ${words}`] };
}
