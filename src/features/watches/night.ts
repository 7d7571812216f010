import { type Step, type StepNow, stepsNow } from '../../core/on-call/escalation.ts';
import { breaksFor, quietUntil } from '../../core/on-call/on-call.ts';
import type { PolicyTarget } from '../../core/policy/pattern.ts';
import type { Change, Now } from './changes.ts';
import { isGrave } from './states.ts';
import { type Card, isOpen, type Member, targetOf, type Watch } from './watch.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** What counts in the channel of a watch at this look: who is told, and whether it is left in peace. */
export interface Night {
  /** Whether the channel is to hear of that now. */
  readonly isHeardOf: (one: Pick<Member, 'id' | 'name' | 'what'>) => boolean;
  /** Who is told by and by of a card that nobody is on. Throws what Redis throws. */
  readonly escalation: () => Promise<StepsOf>;
}

/** The steps for a card, with those who may see all of it; undefined where nobody is told now. */
type StepsOf = (card: Card) => readonly StepNow[] | undefined;

/** Throws what Redis throws. */
export async function nightOf(deps: Bot, watch: Watch): Promise<Night> {
  const { steps: named, quiet } = await deps.onCall.of(watch.channelId);
  const isQuiet = quiet !== undefined && quietUntil(quiet, deps.clock.now()) !== undefined;
  const isHeardOf: Night['isHeardOf'] = (one) => !isQuiet || breaksFor(quiet, one, isGrave(one.what));
  return { isHeardOf, escalation: () => stepsFor(deps, watch, named, isHeardOf) };
}

async function stepsFor(
  deps: Bot,
  watch: Watch,
  named: readonly Step[] | undefined,
  isHeardOf: Night['isHeardOf'],
): Promise<StepsOf> {
  if (!named) return () => undefined;
  const sights = new Map<string, (one: PolicyTarget) => boolean>();
  const steps = await stepsNow(deps, named, async (userId) => {
    const at = { channelId: watch.channelId };
    const decision = await deps.access.check({ userId }, 'instances:read', 'any', at);
    if (!decision.allowed && decision.reason === 'not checked') return undefined;
    sights.set(userId, await deps.access.which({ userId }, 'instances:read', watch.channelId));
    return true;
  });
  return ({ members }) => {
    const maySee = (userId: string): boolean =>
      members.every((one) => sights.get(userId)?.(targetOf(one)) ?? false);
    if (!members.some((one) => isOpen(one) && isHeardOf(one))) return undefined;
    return steps.map((step) => ({
      ...step,
      people: step.people.filter(({ userId }) => maySee(userId)),
    }));
  };
}

/** What is to be said of a look now, with what was held back before; the watch keeps what is held back still. Pure. */
export function withoutHeld(
  watch: Watch,
  changes: readonly Change[],
  { instances }: Pick<Now, 'instances'>,
  { isHeardOf }: Night,
): { readonly heard: readonly Change[]; readonly after: Watch } {
  const { held: before = [], ...rest } = watch;
  const created = [
    // What is gone or out of view by then is nobody's news any more.
    ...before.flatMap(({ id, createdAt }): Change[] => {
      const there = instances.find((one) => one.id === id);
      return there ? [{ id, name: there.name, createdAt, what: 'created' }] : [];
    }),
    ...changes.filter(({ what }) => what === 'created'),
  ];
  const isHeld = ({ id, name }: Change): boolean => !isHeardOf({ id, name, what: 'created' });
  const held = created.filter(isHeld).map(({ id, name, createdAt }) => ({ id, name, createdAt }));
  const others = changes.filter(({ what }) => what !== 'created');
  return {
    heard: [...created.filter((one) => !isHeld(one)), ...others],
    after: held.length > 0 ? { ...rest, held } : rest,
  };
}
