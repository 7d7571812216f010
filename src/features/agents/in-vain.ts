import type { Caller } from '../../core/agents/tool.ts';
import type { Change } from '../../core/changes/change.ts';
import type { Rehearsed } from '../../core/changes/rehearse.ts';
import { tooMuch } from '../../core/intake/messages.ts';
import type { RateLimit } from '../../core/intake/rate-limit.ts';
import type { Access } from '../../core/policy/access.ts';
import { noAccess } from '../../core/policy/no-access.ts';
import { Refusal } from '../../core/refusal.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import {
  type Agents,
  declinedUntil,
  findSame,
  hasManyOpen,
  mayStillAsk,
  MOST_OPEN,
  type Proposal,
  stoppedUntil,
  type ProposalRequest,
} from './record.ts';

/** Throws a Refusal where an agent has proposed more in one person's name lately than it may. */
export async function refuseTooOften(limit: RateLimit, { agent, actor }: Caller): Promise<void> {
  const limited = await limit.check(`${agent} ${actor.userId}`);
  if (limited) throw new Refusal('too-many', tooMuch(limited.waitMs));
}

/** Throws a Refusal where an agent may propose nothing now: it may not ask any more, or somebody has stopped it. Pure. */
export function refuseStopped(record: Agents, by: Omit<ProposalRequest, 'instance'>): void {
  if (!mayStillAsk(record, by, by.at))
    throw new Refusal('not-possible', say`This agent can't ask anything any more, so nothing was proposed.`);
  const until = stoppedUntil(record, by, by.at);
  if (until !== undefined)
    throw new Refusal('not-possible', say`A person has stopped this agent until ${time(until)}.`);
}

/** The same proposal where there is one that stands for it. Throws a Refusal where it is not to be proposed now. Pure. */
export function knownOf(record: Agents, wanted: ProposalRequest): Proposal | undefined {
  refuseStopped(record, wanted);
  const same = findSame(record, wanted);
  if (same) return same;
  const quiet = declinedUntil(record, wanted);
  if (quiet !== undefined)
    throw new Refusal(
      'not-possible',
      say`A person has declined that. It can be proposed again from ${time(quiet)}.`,
    );
  if (hasManyOpen(record, wanted, wanted.at))
    throw new Refusal(
      'too-many',
      say`${MOST_OPEN} proposals wait already. Wait until a person has answered one of them.`,
    );
  return undefined;
}

/** There are so many open of all agents that no more are kept. */
export function tooManyOfAll(): Refusal {
  return new Refusal(
    'too-many',
    say`Too many proposals of all agents wait already. Wait until people have answered some of them.`,
  );
}

/** Throws a Refusal where its person may not do it, where it is frozen, or where it is not possible now. */
export async function refuseInVain(
  { access }: { readonly access: Pick<Access, 'policy'> },
  { permission }: Change,
  { decision, instance, stops, isRead, needsApproval }: Rehearsed,
  { channelId }: Caller,
): Promise<void> {
  if (!decision.allowed) {
    const policy = await access.policy();
    throw noAccess(decision, permission, policy, { id: instance.id, name: instance.name });
  }
  if (stops.length > 0) throw new Refusal('not-possible', { lines: stops });
  if (needsApproval && channelId === undefined)
    throw new Refusal(
      'not-possible',
      say`It needs an approval, and nobody else can read a direct message. Ask for it in a channel.`,
    );
  if (!isRead)
    throw new Refusal(
      'not-checked',
      say`The hosting service doesn't answer, so nobody knows whether that is possible. Try again in a minute.`,
    );
}
