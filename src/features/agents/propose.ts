import { z } from 'zod';
import { AGENT_PLACE, type Caller, field, moment, type Tool, tool } from '../../core/agents/tool.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { asTyped } from '../../core/ask/words.ts';
import type { Change } from '../../core/changes/change.ts';
import type { Rehearsed } from '../../core/changes/rehearse.ts';
import { fingerprintOf } from '../../core/instances/facts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { Refusal, unlessAway } from '../../core/refusal.ts';
import { createRateLimit } from '../../core/intake/rate-limit.ts';
import { withoutSecrets } from '../../platform/log/log.ts';
import { newId } from '../../platform/id.ts';
import { type Phrase, plain, say, toPlainText } from '../../platform/slack/phrase.ts';
import { refuseTooOften, refuseStopped, knownOf, tooManyOfAll, refuseInVain } from './in-vain.ts';
import { proposalMessage, reasonOf, UNREAD_PROPOSAL } from './messages.ts';
import { isOf, isOpen, type Proposal, withProposal } from './record.ts';
import type { Proposing } from './proposing.ts';

const REFERENCE_LENGTH = 8;
const MOST_OF_A_REASON = 300;
/** Of one agent in one person's name: each asks Slack and the service afresh. */
const PROPOSED_PER_MINUTE = 20;

/** What agents can ask people for. */
export function proposalTools(deps: Proposing): readonly Tool[] {
  const verbs = deps.changes.map(({ verb }) => verb);
  return [proposeTool(deps, verbs), findTool(deps)];
}

const proposalSchema = z.object({
  asOf: z.string(),
  reference: z.string().describe('Names this proposal for get_proposal'),
  state: z
    .enum(['waiting', 'asked', 'begun', 'declined', 'stopped', 'expired', 'unread'])
    .describe(
      'asked: somebody has pressed, and is asked something first, or an approval is waited for. unread: Slack takes no message where it was to stand, so nobody can read it',
    ),
  does: z.string(),
  instance: z.object({ id: z.string(), name: z.string() }),
  because: z.string(),
  answeredBy: z.string().optional().describe('A Slack user id'),
  outcome: z
    .enum(['under way', 'done', 'asked', 'failed', 'unknown', 'canceled'])
    .optional()
    .describe('Of what was begun'),
});

function proposeTool(deps: Proposing, verbs: readonly string[]): Tool {
  const limit = createRateLimit(PROPOSED_PER_MINUTE);
  return tool({
    name: 'propose_change',
    title: 'Propose a change',
    description:
      'Asks people to change one instance. It changes nothing: a person sees exactly what would be done, and goes ahead or declines. Use get_proposal to see what became of it.',
    asks: true,
    input: z.object({
      verb: z.enum(verbs),
      instance: z.string().min(1).max(200).describe('Its id, or its exact name'),
      because: z.string().trim().min(3).max(MOST_OF_A_REASON).describe('Why, for the person who decides'),
    }),
    output: proposalSchema,
    answer: async (caller, { verb, instance, because: given }, audit) => {
      const because = withoutSecrets(plain(given, MOST_OF_A_REASON));
      await refuseTooOften(limit, caller);
      const change = deps.changes.find((one) => one.verb === verb);
      if (!change) throw new Error(`no verb ${verb}`);
      const ask = askOf(caller, change, instance);
      const reason = reasonOf({ agent: caller.agent, because });
      audit({ route: change.id, words: asTyped(ask.words), because: reason });
      const same = await foundKnown(deps, change, ask, caller);
      if (same) return fieldsOf(deps, same);
      const found = await change.rehearse(deps, ask);
      audit({ target: { id: found.instance.id, name: found.instance.name } });
      await refuseInVain(deps, change, found, caller);
      const proposal: Proposal = {
        id: ask.id,
        agent: caller.agent,
        ...(caller.agentId === undefined ? {} : { agentId: caller.agentId }),
        // Whoever presses does so as themselves.
        actor: { userId: caller.actor.userId, teamId: caller.actor.teamId },
        ...(caller.channelId === undefined ? {} : { channelId: caller.channelId }),
        routeId: change.id,
        instance: fingerprintOf(found.instance),
        what: [...found.what],
        because,
        at: caller.askedAt,
      };
      return fieldsOf(deps, await propose(deps, proposal, notesOf(found)));
    },
  });
}

/** What the person would type, as nobody's request: it is only looked at. */
function askOf(caller: Caller, { id: route }: Change, instance: string): Ask {
  const { actor, channelId, requestId: id = newId(), askedAt } = caller;
  const place = channelId === undefined ? AGENT_PLACE : { channelId };
  return { id, route, words: [instance], actor, place, replaces: false, askedAt };
}

/** What an agent has proposed already, before anything is asked of Slack or the service anew. Throws a Refusal. */
async function foundKnown(
  deps: Proposing,
  change: Change,
  ask: Ask,
  caller: Caller,
): Promise<Proposal | undefined> {
  const wanted = { ...caller, id: ask.id, at: caller.askedAt, routeId: change.id };
  const record = await deps.agents.get();
  refuseStopped(record, wanted);
  // Whether there is such an instance for who asks is said, and kept in the audit, only of what they may see.
  const found = await unlessAway(change.lookUp(deps, ask), undefined);
  return found && knownOf(record, { ...wanted, instance: { id: found.instance.id } });
}

/** What a press would meet. Pure. */
function notesOf({ asksFirst, needsApproval }: Rehearsed): readonly Phrase[] {
  return [
    ...(asksFirst ? [say`It asks once more before anything is done.`] : []),
    ...(needsApproval ? [say`It needs an approval after that.`] : []),
  ];
}

/** Writes a proposal down with its message; gives the same that is open already in its place. Throws a Refusal. */
async function propose(
  { agents, outbox }: Proposing,
  proposal: Proposal,
  notes: readonly Phrase[],
): Promise<Proposal> {
  const { id, actor, channelId } = proposal;
  const to = channelId === undefined ? { userId: actor.userId } : { channelId };
  const content = proposalMessage(proposal, notes);
  const after = await agents.change(
    (record) => withProposal(record, proposal),
    async () => ({
      ...(await outbox.saying(
        [
          {
            id: `agent-${id}`,
            to,
            content,
            isForPlaceAlone: true,
            onDeadLetter: { handler: UNREAD_PROPOSAL, id },
          },
        ],
        'moved',
      )),
      audit: entryOf(proposal),
      survives: true,
    }),
  );
  if (after) return proposal;
  const same = knownOf(await agents.get(), proposal);
  if (!same) throw tooManyOfAll();
  return same;
}

function findTool(deps: Proposing): Tool {
  return tool({
    name: 'get_proposal',
    title: 'See what became of a proposal',
    description: 'Gives whether a proposal still waits, who answered it, and how what was begun has ended.',
    input: z.object({ reference: z.string().length(REFERENCE_LENGTH) }),
    output: proposalSchema,
    answer: async (caller, { reference }) => {
      const { proposals } = await deps.agents.get();
      const mine = proposals.find((one) => one.id.startsWith(reference) && isOf(one, caller));
      if (!mine) throw new Refusal('no-such-name', say`I know of no proposal of yours with that reference.`);
      // It is its own, also where it may not read the instance by now.
      await deps.access.require(caller.actor, 'instances:read', 'any');
      return fieldsOf(deps, mine);
    },
  });
}

/** What the audit keeps of it: the agent's, in the name of its person. Pure. */
function entryOf(proposal: Proposal): Entry {
  const { id, agent, actor, channelId, routeId, instance, at } = proposal;
  return {
    what: 'shown',
    at,
    requestId: id,
    by: actor.userId,
    agent,
    ...(channelId === undefined ? {} : { channelId }),
    route: routeId,
    target: { id: instance.id, name: instance.name },
    because: reasonOf(proposal),
  };
}

/** A question before it, or an approval, may take so long. */
const ASKED_MS = 40 * 60_000;

/**
 * What a press has begun: at once, or after a question or an approval, which is another request and keeps the reason; undefined where
 * nothing has begun yet.
 */
async function findBegun(
  { operations, auditReader }: Proposing,
  proposal: Proposal,
): Promise<Operation | undefined> {
  const { answer, instance } = proposal;
  if (answer?.requestId === undefined) return undefined;
  const atOnce = await operations.find(answer.requestId);
  if (atOnce) return atOnce;
  const because = reasonOf(proposal);
  const [asked] = await auditReader.read(
    ({ what, at, by, target, because: why }) =>
      what === 'asked' &&
      by === answer.by &&
      at - answer.at < ASKED_MS &&
      target?.id === instance.id &&
      why === because,
    { limit: 1, since: answer.at },
  );
  return asked && operations.find(asked.entry.requestId);
}

/** How a proposal stands. `isBegun`: whether anything has begun by it. Pure. */
function stateOf(
  proposal: Proposal,
  isBegun: boolean,
  now: number,
): z.output<typeof proposalSchema>['state'] {
  const { answer, unreadAt } = proposal;
  if (!answer && unreadAt !== undefined) return 'unread';
  if (!answer) return isOpen(proposal, now) ? 'waiting' : 'expired';
  if (answer.how === 'revoked') return 'stopped';
  if (answer.how !== 'begun' || isBegun) return answer.how;
  return now - answer.at < ASKED_MS ? 'asked' : 'expired';
}

async function fieldsOf(deps: Proposing, proposal: Proposal): Promise<z.input<typeof proposalSchema>> {
  const { id, what, because, instance, answer } = proposal;
  const now = deps.clock.now();
  const operation = await findBegun(deps, proposal);
  return {
    asOf: moment(now),
    reference: id.slice(0, REFERENCE_LENGTH),
    state: stateOf(proposal, operation !== undefined, now),
    does: field(toPlainText(what)),
    instance: { id: field(instance.id), name: field(instance.name) },
    because,
    answeredBy: answer?.by,
    outcome: operation && (operation.outcome?.result ?? 'under way'),
  };
}
