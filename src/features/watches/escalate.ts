import { hearing, type StepNow } from '../../core/on-call/escalation.ts';
import { mapCards, touched } from './judge.ts';
import { type Card, isOpen, type Watch } from './watch.ts';

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
