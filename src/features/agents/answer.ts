import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { APPROVALS } from '../../core/approvals/approvals.ts';
import { operationKeys } from '../../core/operations/keys.ts';
import { together } from '../../core/records/commit.ts';
import { type Condition, NONE, unchanged } from '../../core/records/conditions.ts';
import { Unmet } from '../../core/records/records.ts';
import { noAccess } from '../../core/policy/no-access.ts';
import { Refusal } from '../../core/refusal.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { AGENT_ROUTES, agentGone, answeredAlready, proposalMessage, reasonOf, tooOld } from './messages.ts';
import {
  type Agents,
  answered,
  answeredAgain,
  isOpen,
  mayStillAsk,
  type Proposal,
  reopened,
  withStopped,
} from './record.ts';
import type { Proposing } from './proposing.ts';

/** The buttons of a proposal. */
export function answerRoutes(deps: Proposing): readonly Route[] {
  return [beginRoute(deps), declineRoute(deps), stopRoute(deps)];
}

/** The right is that of the change, which asks for it by its own name. */
const PRESSED = { permission: undefined, writes: true, isAskable: false, outlastsOnce: true } as const;

/** "Go ahead": the change as if whoever presses had typed it, with their rights, and the same questions and approvals. */
function beginRoute(deps: Proposing): Route {
  return {
    ...PRESSED,
    id: AGENT_ROUTES.begin,
    verb: 'go ahead with a proposal',
    summary: 'begin what an agent proposes',
    handle: async (ask, audit) => {
      const proposal = await openProposal(deps, ask, audit, 'begin');
      const { id, routeId } = proposal;
      const route = deps.findRoute(routeId);
      if (!route) throw new Refusal('button-expired', tooOld());
      const answer = { how: 'begun', by: ask.actor.userId, at: deps.clock.now(), requestId: ask.id } as const;
      await answerWith(deps, id, (record) => answered(record, id, answer));
      const reply = await begun(deps, proposal, ask, route, audit);
      // Another run of this press, which could check no role, may have opened it again.
      if (await cameOf(deps, proposal, ask)) await move(deps, (record) => answeredAgain(record, id, answer));
      return reply;
    },
    came: async (ask) => {
      const { proposals } = await deps.agents.get();
      const proposal = proposals.find(({ id }) => id === ask.value);
      if (!proposal) return 'nothing';
      const came = (await deps.findRoute(proposal.routeId)?.came?.(typedFor(proposal, ask))) ?? 'nothing';
      // It came to nothing: the next press may.
      if (came === 'nothing') await reopen(deps, proposal, ask);
      return came;
    },
  };
}

/** Whether a press has begun the change, or asked others to approve it: it may have been canceled just before. */
async function cameOf(deps: Proposing, proposal: Proposal, ask: Ask): Promise<boolean> {
  if (await deps.operations.find(ask.id)) return true;
  const came = await deps.findRoute(proposal.routeId)?.came?.(typedFor(proposal, ask));
  return came !== undefined && came !== 'nothing';
}

/** The change as its person would have typed it. Pure. */
function typedFor(proposal: Proposal, ask: Ask): Ask {
  const { routeId, instance } = proposal;
  const words = [instance.id, '--because', reasonOf(proposal)];
  return { ...ask, value: undefined, route: routeId, words, meant: { ...instance } };
}

/** What the change answers. Where it comes to nothing, the next press may. Throws what the route throws. */
async function begun(
  deps: Proposing,
  proposal: Proposal,
  ask: Ask,
  route: Route,
  audit: AuditAttempt,
): Promise<Reply> {
  try {
    return await route.handle(typedFor(proposal, ask), audit);
  } catch (error) {
    // Without the database nobody knows what came of it, and the same press is carried out once more.
    if (!isRedisAway(error)) await reopen(deps, proposal, ask);
    throw error;
  }
}

/** Has the next press begin a proposal, unless another run of this press has begun it, or asked others to approve it. */
async function reopen({ agents, outbox, clock }: Proposing, proposal: Proposal, ask: Ask): Promise<void> {
  try {
    await agents.change(
      (record) => reopened(record, proposal.id, ask.id, clock.now()),
      async (after, before) =>
        together<string>({ if: nothingCame(ask.id) }, await outbox.saying(shownBy(after, before), 'moved')),
    );
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
  }
}

/** What the audit keeps of an answer to a proposal: of which agent it was stands in place of a reason. Pure. */
function auditedOf({ agent, instance: { id, name } }: Proposal): Pick<Entry, 'target' | 'because'> {
  return { target: { id, name }, because: `proposed by ${agent}` };
}

function declineRoute(deps: Proposing): Route {
  return {
    ...PRESSED,
    id: AGENT_ROUTES.decline,
    verb: 'decline a proposal',
    summary: 'turn down what an agent proposes',
    handle: async (ask, audit) => {
      const { id } = await openProposal(deps, ask, audit);
      const answer = { how: 'declined', by: ask.actor.userId, at: deps.clock.now() } as const;
      await answerWith(deps, id, (record) => answered(record, id, answer));
      return declined();
    },
    came: async ({ value, actor: { userId } }) => {
      const answer = (await deps.agents.get()).proposals.find(({ id }) => id === value)?.answer;
      return answer?.how === 'declined' && answer.by === userId ? declined() : undefined;
    },
  };
}

/** "Stop this agent": nothing of it is open any more, and it proposes nothing for a day. */
function stopRoute(deps: Proposing): Route {
  return {
    ...PRESSED,
    id: AGENT_ROUTES.stop,
    verb: 'stop an agent',
    summary: 'withdraw all that an agent proposes, and have it propose nothing for a day',
    handle: async (ask, audit) => {
      const proposal = await theirs(deps, ask);
      audit({ words: proposal.agent });
      const now = deps.clock.now();
      await answerWith(deps, proposal.id, (record) => withStopped(record, proposal, ask.actor.userId, now));
      return stopped();
    },
    came: async ({ value, actor: { userId } }) => {
      const answer = (await deps.agents.get()).proposals.find(({ id }) => id === value)?.answer;
      return answer?.how === 'stopped' && answer.by === userId ? stopped() : undefined;
    },
  };
}

function declined(): Message {
  return { lines: [say`Declined. Nothing was done.`] };
}

function stopped(): Message {
  return {
    lines: [
      say`Stopped. All that it proposed is withdrawn, and it proposes nothing in that person's name for a day.`,
    ],
  };
}

/** Moves the record. Throws a Refusal where it was answered meanwhile. */
async function answerWith(
  deps: Proposing,
  id: string,
  step: (record: Agents) => Agents | undefined,
): Promise<void> {
  if (!(await move(deps, step))) throw await tooLate(deps, id);
}

/** Moves the record with what its messages then show; undefined where the step does not apply. */
function move(
  { agents, outbox }: Proposing,
  step: (record: Agents) => Agents | undefined,
): Promise<Agents | undefined> {
  return agents.change(step, (after, before) => outbox.saying(shownBy(after, before), 'moved'));
}

/** The messages of the proposals that stand otherwise than before. Pure. */
export function shownBy(after: Agents, before: Agents): readonly Said[] {
  return after.proposals
    .filter((one) => !before.proposals.includes(one))
    .map((one) => ({ id: `agent-${one.id}`, content: proposalMessage(one), isEdit: true }));
}

/**
 * The proposal whose button was pressed: by the person whose it is, or in its channel by somebody who might ask for the same. Throws a
 * Refusal.
 */
async function theirs(
  { agents, access, findRoute }: Proposing,
  { value, actor, place: { channelId } }: Ask,
  doing: 'begin' | 'turn down' = 'turn down',
): Promise<Proposal> {
  const { proposals } = await agents.get();
  const proposal = proposals.find(({ id }) => id === value);
  const permission = proposal && findRoute(proposal.routeId)?.permission;
  const isHere =
    proposal?.channelId === undefined
      ? proposal?.actor.userId === actor.userId
      : proposal.channelId === channelId;
  if (!proposal || !permission || !isHere) throw new Refusal('button-expired', tooOld());
  // What is frozen may be turned down, and go on by whoever may make an exception. In whose name it is, always may turn it down.
  const at = { channelId, route: proposal.routeId };
  const isTurnedDownByOwn = doing === 'turn down' && proposal.actor.userId === actor.userId;
  const decision = await access.check(actor, permission, proposal.instance, at);
  if (!decision.allowed && decision.reason !== 'frozen' && !isTurnedDownByOwn)
    throw noAccess(decision, permission, await access.policy(), proposal.instance);
  return proposal;
}

/** The same where it still waits, or this very press has answered it. Throws a Refusal. */
async function openProposal(
  deps: Proposing,
  ask: Ask,
  audit: AuditAttempt,
  doing: 'begin' | 'turn down' = 'turn down',
): Promise<Proposal> {
  const proposal = await theirs(deps, ask, doing);
  audit(auditedOf(proposal));
  const { answer } = proposal;
  if (answer && answer.requestId === ask.id) return proposal;
  const now = deps.clock.now();
  if (!isOpen(proposal, now)) throw closed(proposal);
  if (doing === 'begin' && !mayStillAsk(await deps.agents.get(), proposal, now))
    throw new Refusal('button-expired', agentGone(proposal));
  return proposal;
}

async function tooLate({ agents }: Proposing, id: string): Promise<Refusal> {
  return closed((await agents.get()).proposals.find((one) => one.id === id));
}

/** Why a proposal can't be answered any more. */
function closed(proposal: Proposal | undefined): Refusal {
  return proposal?.answer
    ? new Refusal('answered-already', answeredAlready(proposal.answer))
    : new Refusal('button-expired', tooOld());
}

/** That a request has begun no change, and asked nobody to approve one. */
export function nothingCame(requestId: string): readonly Condition<'begun'>[] {
  return [operationKeys.operation(requestId), APPROVALS.keyOf(requestId)].map((key) =>
    unchanged(key, NONE, 'begun'),
  );
}
