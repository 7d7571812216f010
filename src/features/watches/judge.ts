import { idOf } from '../../platform/id.ts';
import type { Change } from './changes.ts';
import { type Card, isOver, type Member, type Watch, isOpen } from './watch.ts';
import { hearing, type StepNow } from '../../core/on-call/escalation.ts';

/** How cards are put together; all in ms. */
export interface Gathering {
  /** What comes again within this after it ended goes on on its card. */
  readonly watchCalmMs: number;
}

/** So many cards of their own within a while; whatever comes besides shares one. */
const MAX_OWN_CARDS = 3;
/** What came within this is on one card, once there are more than a few. */
const GROUP_MS = 120_000;
const DAY_MS = 86_400_000;
/** The outbox can't edit a message a week after it was shown last. */
const FOLLOWED_MS = 6 * DAY_MS;
/** Oldest first, cards go that are too many: those that are over before all others. */
const MAX_CARDS = 60;

/** The watch after a look that saw `changes`: what is to be reported of them is on its cards. Pure. */
export function withChanges(
  watch: Watch,
  changes: readonly Change[],
  now: number,
  gathering: Gathering,
): Watch {
  let after = watch;
  const fresh: Change[] = [];
  for (const change of changes) {
    if (change.what === 'began') after = withoutSnooze(after, change, now);
    if (change.what === 'ended') after = withEnd(after, change, now);
    else {
      const again = withRepeat(after, change, now, gathering);
      if (again) after = again;
      else fresh.push(change);
    }
  }
  return forgotten(withNew(after, fresh, now), now, gathering);
}

function withEnd(watch: Watch, change: Extract<Change, { what: 'ended' }>, now: number): Watch {
  return mapCards(watch, (card) => {
    const isMeant = (one: Member): boolean =>
      one.id === change.id && one.what === change.trouble && one.ended === undefined;
    if (!card.members.some(isMeant)) return card;
    const ended = { at: now, now: change.now };
    const members = card.members.map((one) =>
      isMeant(one) ? { ...one, ended, ...marksIfGone(change) } : one,
    );
    const next = touched({ ...card, members }, now);
    const { onIt } = next;
    if (!isOver(next) || !onIt || onIt.isCalled) return next;
    return { ...next, onIt: { ...onIt, isCalled: true } };
  });
}

/** What is snoozed and gets worse isn't snoozed any more. */
function withoutSnooze(watch: Watch, { id }: Change, now: number): Watch {
  return mapCards(watch, (card) => {
    if (!card.snoozed || !card.members.some((one) => one.id === id)) return card;
    const { snoozed: _, ...rest } = card;
    return touched(rest, now);
  });
}

/** What came and went a moment ago goes on on its card; undefined where there is none. */
function withRepeat(
  watch: Watch,
  change: Exclude<Change, { what: 'ended' }>,
  now: number,
  { watchCalmMs }: Gathering,
): Watch | undefined {
  if (change.what !== 'began') return undefined;
  const isMeant = ({ id, what, ended }: Member): boolean =>
    id === change.id && what === change.trouble && ended !== undefined && now - ended.at < watchCalmMs;
  const card = watch.cards.findLast(({ members }) => members.some(isMeant));
  if (!card) return undefined;
  return mapCards(watch, (one) => {
    if (one !== card) return one;
    const members = one.members.map((member) => {
      if (!isMeant(member)) return member;
      const { ended: _, ...open } = member;
      return { ...open, since: now, times: member.times + 1, ...marksIfGone(change) };
    });
    // What had ended and begins again is for somebody anew.
    return touched(isOver(one) ? unanswered({ ...one, members }, now) : { ...one, members }, now);
  });
}

/** The card as one that nobody has been told of yet. */
function unanswered(card: Card, now: number): Card {
  const { told: _, quietMs: __, quietSince: ___, onIt, ...rest } = card;
  // Who was on it has heard that it is over.
  return { ...rest, ...(onIt && !onIt.isCalled ? { onIt } : {}), unacknowledgedSince: now };
}

/** A few get a card each; of many at once, or soon after others, all get one together. */
function withNew(watch: Watch, fresh: readonly Change[], now: number): Watch {
  if (fresh.length === 0) return watch;
  const members = fresh.map((change) => memberOf(change, now));
  const lately = watch.cards.filter(({ kind, at }) => kind === 'incident' && now - at < GROUP_MS);
  if (members.length + lately.length <= MAX_OWN_CARDS)
    return members.reduce((all, member) => withCard(all, { members: [member] }, now), watch);
  const group = lately.findLast(({ isGroup }) => isGroup);
  if (!group) return withCard(watch, { members, isGroup: true }, now);
  return mapCards(watch, (card) =>
    card === group ? touched({ ...card, members: [...card.members, ...members] }, now) : card,
  );
}

function memberOf(change: Change, now: number): Member {
  const { id, name, createdAt } = change;
  const what = change.what === 'created' ? change.what : change.trouble;
  return { id, name, createdAt, what, since: now, times: 1, ...marksIfGone(change) };
}

/** What is there can be asked for what it is marked with now. */
function marksIfGone(change: Change): Pick<Member, 'marks'> {
  const now = change.what === 'began' ? change.trouble : change.what === 'ended' ? change.now : undefined;
  return now === 'deleted' && change.marks ? { marks: change.marks } : {};
}

/** The watch with one more card to send. Its id follows from the watch, so that it is sent once. Pure. */
export function withCard(
  watch: Watch,
  card: Partial<Pick<Card, 'kind' | 'members' | 'isGroup' | 'count'>>,
  now: number,
): Watch {
  const made: Card = {
    id: idOf(`watch ${watch.id} ${watch.count}`),
    kind: 'incident',
    at: now,
    isGroup: false,
    members: [],
    ...card,
    revision: 1,
    changedAt: now,
  };
  return { ...watch, count: watch.count + 1, cards: [...watch.cards, made] };
}

/** The card with something else to show. Pure. */
export function touched(card: Card, now: number): Card {
  return { ...card, revision: card.revision + 1, changedAt: now };
}

/** The watch with each card as `step` gives it. Pure. */
export function mapCards(watch: Watch, step: (card: Card) => Card): Watch {
  return { ...watch, cards: watch.cards.map(step) };
}

/** The watch without what nobody has to follow any more. Pure. */
function forgotten(watch: Watch, now: number, { watchCalmMs }: Gathering): Watch {
  const isKept = (card: Card): boolean => {
    // What it shows is said with this step.
    if (card.changedAt === now) return true;
    if (card.kind === 'hello') return false;
    if (card.kind === 'paused') return watch.pausedAt !== undefined;
    if (card.snoozed && now < card.snoozed.until) return true;
    return now - card.changedAt < (isOver(card) ? watchCalmMs : FOLLOWED_MS);
  };
  const cards = watch.cards.filter(isKept);
  const tooMany = cards.length - MAX_CARDS;
  if (tooMany <= 0) return { ...watch, cards };
  const inOrder = cards
    .filter(({ changedAt }) => changedAt !== now)
    .toSorted((one, other) => Number(isOver(other)) - Number(isOver(one)) || one.changedAt - other.changedAt);
  const dropped = new Set(inOrder.slice(0, tooMany));
  return { ...watch, cards: cards.filter((card) => !dropped.has(card)) };
}

type Told = NonNullable<Card['told']>[number];

/** Whether somebody has to see to a card: something is wrong, and nobody is on it. Pure. */
export function isUnanswered({ kind, members, onIt }: Card): boolean {
  return kind === 'incident' && onIt === undefined && members.some(isOpen);
}

/** Since when nobody has been on a card. Pure. */
export function unansweredSince({ unacknowledgedSince, at }: Card): number {
  return unacknowledgedSince ?? at;
}

/** The watch with those told whose step has come. `stepsOf`: the steps for a card, with those who may see it; undefined while nobody is told of it. Pure. */
export function withEscalation(
  watch: Watch,
  stepsOf: (card: Card) => readonly StepNow[] | undefined,
  now: number,
): Watch {
  return mapCards(watch, (card) => {
    if (!isUnanswered(card)) return card;
    const isSnoozed = card.snoozed !== undefined && now < card.snoozed.until;
    const steps = isSnoozed ? undefined : stepsOf(card);
    return steps
      ? withTold(watch, awakened(card, now), steps, now)
      : { ...card, quietSince: card.quietSince ?? now };
  });
}

/** The card with what was quiet until now left out of the time that counts. */
function awakened(card: Card, now: number): Card {
  const { quietSince, quietMs = 0, ...rest } = card;
  return quietSince === undefined ? card : { ...rest, quietMs: quietMs + now - quietSince };
}

function withTold(watch: Watch, card: Card, steps: readonly StepNow[], now: number): Card {
  const { told = [], quietMs = 0 } = card;
  const { people, unreached } = hearing(steps, now - unansweredSince(card) - quietMs);
  const all = card.members.map(({ id }) => id);
  const mayHear = new Set(steps.flatMap((step) => step.people.map(({ userId }) => userId)));
  const known = told.map((one): Told => (mayHear.has(one.to) ? { ...one, of: all } : one));
  const isNew = (id: string): boolean => told.every(({ to }) => to !== id);
  const fresh: readonly Told[] = [
    ...people.filter(isNew).map((to) => ({ to, of: all })),
    ...(unreached && isNew(watch.channelId) ? [{ to: watch.channelId, of: [], unreached }] : []),
  ];
  const next = [...known, ...fresh];
  const isSame = JSON.stringify(next) === JSON.stringify(told);
  return isSame ? card : touched({ ...card, told: next }, now);
}
