import type { Entry } from '../../core/audit/entry.ts';
import type { Card, Member, Watch } from './watch.ts';

/** Nobody asks for it: what the audit keeps it under. */
const ROUTE = 'instances.incident';

/** What the audit keeps of a step of a watch: what it saw begin and what was over, under the reference of its card. Pure. */
export function sightsBetween(before: Watch | undefined, after: Watch): readonly Entry[] {
  return after.cards.flatMap((card) => {
    const known = before?.cards.find(({ id }) => id === card.id);
    if (known?.revision === card.revision) return [];
    // Members are only ever added at the end.
    return card.members.flatMap((member, index) => sightsOf(after, card, member, known?.members[index]));
  });
}

function sightsOf(
  { channelId }: Watch,
  { id: requestId }: Card,
  { id, name, what, since, ended }: Member,
  known: Member | undefined,
): readonly Entry[] {
  const entry = { requestId, channelId, route: ROUTE, target: { id, name } };
  const isNew = known?.since !== since;
  const isOver = ended !== undefined && (isNew || known?.ended === undefined);
  return [
    ...(isNew ? [{ ...entry, what: 'seen', at: since, result: what } as const] : []),
    ...(isOver
      ? [{ ...entry, what: 'over', at: ended.at, result: ended.now, tookMs: ended.at - since } as const]
      : []),
  ];
}
