import type { Changing } from './changing.ts';
import type { Approval } from '../approvals/approval.ts';
import { decidedAlready, waitsAlready } from '../approvals/messages.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import { CANCELED, wasCanceled } from '../offers/canceled.ts';
import { CONFIRMATIONS } from '../offers/confirmation.ts';
import { refuseIfUsed } from '../operations/begin.ts';
import { isOfAdmin, type AccessRule } from '../policy/decide.ts';
import { asOf } from '../policy/freeze.ts';
import { Refusal } from '../refusal.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { channel, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type begin, type Reasons, whatOf } from './begin-change.ts';
import type { Args, Declared } from './declaration.ts';
import { requireFrozen } from './exception.ts';

/** What is about to be begun. */
export interface ApprovalRequest<A extends Args> extends Reasons {
  readonly instance: Instance;
  readonly args: A;
  readonly rule: AccessRule;
  /** Ids of freezes from which an exception is asked for. */
  readonly asksExceptFrom?: readonly string[] | undefined;
}

export type Pressed = Parameters<typeof begin>[4];

/** Asks others in the channel to approve what one person asked for, or to except it from a freeze. Gives the reply; throws a Refusal. */
export async function askApproval<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  { instance, args, override, because = override, rule, asksExceptFrom }: ApprovalRequest<A>,
  { confirmationId, buttonTokenId }: Pressed,
  audit: AuditAttempt,
): Promise<Reply> {
  await refuseIfUsed(deps, { value: buttonTokenId });
  const { approvals, offers, clock, timings, findApprovers } = deps;
  const { channelId } = ask.place;
  if (isDirect(channelId)) throw new Refusal('nobody-to-approve', approvedInChannelsOnly());
  const exceptFrom =
    asksExceptFrom && (await requireFrozen(declared, deps, ask, { instance, args, because }, asksExceptFrom));
  // A confirmation asks once, however often it is pressed.
  const approvalId = confirmationId ?? ask.id;
  const { id, name, createdAt, status } = instance;
  const now = clock.now();
  const isException = exceptFrom !== undefined;
  const approvers = await findApprovers(declared.permission, instance, ask, isException);
  const approval: Approval = {
    id: approvalId,
    kind: declared.id,
    verb: declared.verb,
    what: [...whatOf(declared, instance, args)],
    actor: ask.actor,
    place: ask.place,
    responseUrl: ask.responseUrl,
    instance: { id, name, status, createdAt },
    args,
    because,
    buttonTokenId,
    // What else a freeze is of says what others may not know.
    ...(exceptFrom ? { exceptFrom: exceptFrom.map((freeze) => asOf(freeze, instance)) } : {}),
    askedAt: now,
    ...(approvers ? { approvers, askAgainAt: now + timings.askAgainAfterMs } : {}),
    expiresAt: now + timings.approveWithinMs,
  };
  if (confirmationId !== undefined) {
    const usedBy = await offers.use(CONFIRMATIONS, confirmationId, confirmationId);
    if (usedBy === CANCELED) throw wasCanceled();
  }
  const waits = await approvals.ask(approval, ask.id);
  if (!waits) {
    // Revoked or canceled: the person has read already that nothing was done, and so does the audit.
    audit('recorded');
    return undefined;
  }
  audit({ what: 'shown', result: 'waits for approval', of: approvalId });
  if (waits.decided || waits.id !== approval.id) return { lines: [await wordsOf(deps, waits, ask)] };
  return {
    lines: [
      asksSomeone(approval),
      ...(override === undefined
        ? []
        : [
            say`Only an admin can go ahead without an approval. Your reason is shown to the people who can approve it.`,
          ]),
    ],
    ...(isOfAdmin(rule)
      ? {
          note: say`As an admin, you can go ahead without an approval with --override "why". All admins will be told.`,
        }
      : {}),
  };
}

/** What an earlier run of a request asked others to approve; `nothing` where it asked nobody, or the card of what it began says it. */
export async function cameOfAsking(deps: Changing, ask: Ask): Promise<Message | 'nothing'> {
  const ids = [ask.id, ...(ask.value === undefined ? [] : [ask.value])];
  const found = await Promise.all(ids.map((id) => deps.approvals.findAsked(id)));
  const asked = found.find((one) => one !== undefined);
  return asked ? { lines: [await wordsOf(deps, asked, ask)] } : 'nothing';
}

/** How what was asked for stands, for one who asked for it: this request, one before, or another person's. */
async function wordsOf(
  { approvals, operations }: Changing,
  asked: Approval,
  { id, value, actor }: Ask,
): Promise<Phrase> {
  if (asked.decided) return decidedAlready(asked.decided);
  if (asked.id === id || asked.id === value) return asksSomeone(asked);
  const at = await approvals.findMessage(asked.id);
  return waitsAlready(asked, actor.userId, at ? operations.linkAt(at, 'See it') : say``);
}

function asksSomeone({ exceptFrom, place: { channelId } }: Approval): Phrase {
  return exceptFrom
    ? say`I asked for an exception in ${channel(channelId)}. Nothing has been done yet.`
    : say`Someone else must approve that. I asked in ${channel(channelId)}; nothing has been done yet.`;
}

function approvedInChannelsOnly(): Phrase {
  return say`Someone else must approve that. Nobody else can read this direct message, so nothing was done. Ask in a channel.`;
}
