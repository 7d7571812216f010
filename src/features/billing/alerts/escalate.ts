import { hearing, type StepNow } from '../../../core/on-call/escalation.ts';
import { breaksByKind, type Quiet, quietUntil } from '../../../core/on-call/on-call.ts';
import { type Episode, type Notice, withNotice } from './alarm.ts';
import { type Level, rank } from './level.ts';

/** The episode with those told whose step has come, since nobody is on it. Pure. */
export function escalated(
  episode: Episode,
  rules: { readonly steps: readonly StepNow[]; readonly to: Notice['to'] },
  now: number,
): Episode {
  const { level, ack, escalatedTo = [], unacknowledgedSince, shown } = episode;
  const [first] = rules.steps;
  // An outage is said at once, whoever is on the low balance.
  const isOutage = level === 'paused';
  if (!first || (!isOutage && (rank(level) < rank('critical') || ack))) return episode;
  const sinceMs = now - unacknowledgedSince;
  const dueMs = isOutage ? Math.max(ack ? 0 : sinceMs, first.afterMs) : sinceMs;
  const { people, unreached } = hearing(rules.steps, dueMs);
  // A person who may not be told just now, as when Slack can't say who they are, is told at a later look.
  const to: readonly Notice['to'][] = [
    ...people.map((userId) => ({ userId })),
    ...(unreached === 'away' && !ack && 'channelId' in rules.to ? [rules.to] : []),
  ];
  return to
    .filter((one) => !escalatedTo.includes(idOfPlace(one)))
    .reduce<Episode>(
      (one, place) => ({
        ...withNotice(one, { kind: 'escalation', to: place, level, seen: shown }, now),
        escalatedTo: [...(one.escalatedTo ?? []), idOfPlace(place)],
      }),
      episode,
    );
}

function idOfPlace(to: Notice['to']): string {
  return 'userId' in to ? to.userId : to.channelId;
}

/** Until when what is said of an alert at this level waits, since the channel has its quiet hours; undefined where it doesn't. */
export function quietUntilFor(
  level: Level,
  { quiet }: { readonly quiet: Quiet | undefined },
  now: number,
): number | undefined {
  if (!quiet || (rank(level) >= rank('critical') && breaksByKind(quiet, 'critical'))) return undefined;
  return quietUntil(quiet, now);
}
