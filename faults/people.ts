import { TEAM, type PersonRecord } from '../sandbox/people.ts';
import type { Round, Schedule } from './schedule.ts';

/** When it can't be asked for just now, a colleague tries it a moment later. */
const MAX_ASKS = 2;

/** One person for each request, so that what they alone read is known to be about it. */
export function peopleOf(schedule: Schedule): Map<string, PersonRecord> {
  const tokens = schedule.rounds.flatMap((round) => [
    lookTokenOf(round),
    ...round.asks.flatMap((_, nth) => tokensOf(round, nth)),
    ...approverTokensOf(round),
  ]);
  return new Map(
    tokens.map((token, index) => [
      token,
      { id: `U0ASK${String(index).padStart(6, '0')}`, handle: token, name: token, teamId: TEAM.id },
    ]),
  );
}

/** Of the person who asks, and of the colleagues who try in their place when that failed. */
export function tokensOf(round: Round, nth: number): string[] {
  return Array.from({ length: MAX_ASKS }, (_, tries) => `ask-${round.instanceId}-${nth}-${tries}`);
}

export function lookTokenOf({ instanceId }: Round): string {
  return `look-${instanceId}`;
}

/** Of those who decide what is asked for in a round: somebody else for each deed, and for each request that there may be. */
export function approverTokensOf(round: Round): string[] {
  if (!round.kind.isApproved) return [];
  const requests = round.asks.length * MAX_ASKS;
  return Array.from(
    { length: requests * round.decisions.length },
    (_, nth) => `yes-${round.instanceId}-${nth}`,
  );
}
