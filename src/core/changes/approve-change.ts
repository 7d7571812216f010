import { CANCELED, wasCanceled } from '../offers/canceled.ts';
import { CONFIRMATIONS } from '../offers/confirmation.ts';
import { aboutApproval, type Approval } from '../approvals/approval.ts';
import { decidedAlready, waitsAlready } from '../approvals/messages.ts';
import { nameOf } from '../instances/messages.ts';
import { entryOf } from '../audit/entry-of.ts';
import type { Said } from '../outbox/outbox.ts';
import { approvalOf } from '../policy/approval.ts';
import { isSame } from '../instances/fingerprint.ts';
import { adminsOf, ruleText } from '../policy/messages.ts';
import { isOfAdmin, type Rule } from '../policy/decide.ts';
import { stillFrozen } from '../policy/freeze.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { channel, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import {
  begin,
  checkBefore,
  mayChange,
  type Reasons,
  type RequestDeps,
  targetOf,
  whatOf,
} from './begin-change.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Args, Declared } from './declaration.ts';
import { requireFrozen } from './exception.ts';

/** What is about to be begun. */
export interface Wanted<A extends Args> extends Reasons {
  readonly instance: Instance;
  readonly args: A;
  readonly rule: Rule;
  /** Ids of freezes from which an exception is asked for. */
  readonly asksExceptFrom?: readonly string[] | undefined;
}

type Pressed = Parameters<typeof begin>[4];

/**
 * Begins what one person asked for, or, where a second person must approve it or is to except it from a freeze, asks for that. An
 * admin who gives a reason goes alone, and all admins are notified. Gives the reply; throws a Refusal.
 */
export async function beginOrAsk<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  wanted: Wanted<A>,
  pressed: Pressed,
  audit: AuditAttempt,
): Promise<Reply> {
  const { instance, override, rule, asksExceptFrom } = wanted;
  // One yes of an admin is enough where another would be needed as well.
  if (asksExceptFrom) return askApproval(declared, deps, ask, wanted, pressed, audit);
  if (!approvalOf(deps.approvalRules(), declared.verb, targetOf(instance))) {
    audit('begun');
    return begin(declared, deps, ask, wanted, pressed);
  }
  if (override === undefined || !isOfAdmin(rule))
    return askApproval(declared, deps, ask, wanted, pressed, audit);
  audit('begun');
  const says = await toAllAdmins(declared, deps, ask, wanted);
  return begin(declared, deps, ask, wanted, { ...pressed, says });
}

async function askApproval<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  { instance, args, override, because = override, rule, asksExceptFrom }: Wanted<A>,
  { confirmationId }: Pressed,
  audit: AuditAttempt,
): Promise<Reply> {
  const { approvals, offers, clock, timings, operations, findApprovers } = deps;
  const { channelId } = ask.place;
  if (isDirect(channelId)) throw new Refusal('nobody-to-approve', approvedInChannelsOnly());
  const exceptFrom =
    asksExceptFrom && (await requireFrozen(declared, deps, ask, { instance, args, because }, asksExceptFrom));
  audit({ what: 'shown', result: 'waits for approval' });
  const { id, name, createdAt, status } = instance;
  const now = clock.now();
  const isException = exceptFrom !== undefined;
  const approvers = await findApprovers(declared.permission, targetOf(instance), ask, isException);
  const approval: Approval = {
    // A confirmation asks once, however often it is pressed.
    id: confirmationId ?? ask.id,
    kind: declared.id,
    verb: declared.verb,
    what: [...whatOf(declared, instance, args)],
    actor: ask.actor,
    place: ask.place,
    instance: { id, name, status, createdAt },
    args,
    because,
    ...(exceptFrom ? { exceptFrom } : {}),
    askedAt: now,
    ...(approvers ? { approvers, askAgainAt: now + timings.askAgainAfterMs } : {}),
    expiresAt: now + timings.approveWithinMs,
  };
  if (confirmationId !== undefined) {
    const usedBy = await offers.use(CONFIRMATIONS, confirmationId, confirmationId);
    if (usedBy === CANCELED) throw wasCanceled();
  }
  const waits = await approvals.ask(approval);
  if (waits.decided) return { lines: [decidedAlready(waits.decided)] };
  if (waits.id !== approval.id) {
    const at = await approvals.findMessage(waits.id);
    const link = at ? operations.linkAt(at, 'See it') : say``;
    return { lines: [waitsAlready(waits, ask.actor.userId, link)] };
  }
  return {
    lines: [
      isException
        ? say`I asked for an exception in ${channel(channelId)}. Nothing has been done yet.`
        : say`Someone else must approve that. I asked in ${channel(channelId)}; nothing has been done yet.`,
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

function approvedInChannelsOnly(): Phrase {
  return say`Someone else must approve that. Nobody else can read this direct message, so nothing was done. Ask in a channel.`;
}

/** Everybody who could have been asked hears that nobody was. */
async function toAllAdmins<A extends Args>(
  declared: Declared<A>,
  { access }: RequestDeps,
  ask: Ask,
  { instance, args, override = '' }: Wanted<A>,
): Promise<readonly Said[]> {
  const what = whatOf(declared, instance, args);
  const line = say`🚨 ${person(ask.actor.userId)} asked to ${what} without the approval that it needs: "${override}".`;
  return adminsOf(await access.policy()).map((userId) => ({
    id: `alone-${ask.id}-${userId}`,
    to: { userId },
    content: { lines: [line] },
  }));
}

/**
 * Begins what was approved, for the person who asked, provided that it is still what was asked for and both may. `ask`: the
 * approver's press. Throws a Refusal.
 */
export async function beginApproved<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  approval: Approval,
  audit: AuditAttempt,
): Promise<Reply> {
  const { id, instance: shown, actor, place, because, exceptFrom } = approval;
  const args = declared.args.parse(approval.args);
  // Before anything is looked up or decided for somebody who may not approve it. Both again before the call.
  const approving = await mayApprove(declared, deps, ask, approval);
  const instance = await deps.hosting.findInstance(shown.id);
  if (!instance || !isSame(shown, instance) || instance.status !== shown.status) {
    await deps.approvals.decide(id, { how: 'void', at: deps.clock.now() });
    // Somebody else's yes, a moment ago, changes the instance as well.
    const decided = (await deps.approvals.find(id))?.decided;
    if (decided && decided.how !== 'void') throw new Refusal('over', decidedAlready(decided));
    throw new Refusal('changed', decidedAlready({ how: 'void', at: deps.clock.now() }));
  }
  const approverRule = ruleText(approving);
  audit({ rule: approverRule });
  const asked = { ...ask, actor, place };
  const asker = { ...asked, route: declared.id };
  const ids = exceptFrom?.map((one) => one.id);
  const rule = await mayChange(declared, deps, asker, instance, undefined, ids).catch(
    async (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'no-right') throw error;
      await deps.approvals.decide(id, { how: 'asker-no-right', at: deps.clock.now() });
      throw new Refusal(
        'asker-no-right',
        say`${person(actor.userId)} no longer has the right to that, so nothing was done.`,
      );
    },
  );
  const checked = await checkBefore(declared, deps, {
    ask: asked,
    instance,
    args,
    buttonToken: undefined,
    isConfirmed: true,
    shownAt: approval.askedAt,
  });
  if (checked.question) {
    await deps.approvals.decide(id, { how: 'void', at: deps.clock.now() });
    throw new Refusal(
      'changed',
      say`${nameOf(instance)} was started or restarted since that was asked, so nothing was done. Ask again if you still want it.`,
    );
  }
  await deps.access.use(approving, ask.id);
  audit('recorded');
  return begin(
    declared,
    deps,
    { ...asked, replaces: false },
    {
      instance: checked.instance ?? instance,
      args,
      rule,
      because,
      approvedBy: ask.actor.userId,
      ...(exceptFrom
        ? { exceptFrom: exceptFrom.map((one) => ({ id: one.id, by: one.by, why: one.why })) }
        : {}),
    },
    {
      approvalId: id,
      approvalEntry: entryOf(ask, 'approved', deps.clock.now(), {
        ...aboutApproval(approval),
        rule: approverRule,
      }),
    },
  ).catch(async (error: unknown) => {
    if (error instanceof Refusal) await deps.access.giveBack(approving, ask.id);
    throw error;
  });
}

/**
 * What allows who presses to approve it: the right to it, and for an exception from a freeze that they could make the change in
 * spite of that. Throws a Refusal.
 */
async function mayApprove<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  { id, place, instance, exceptFrom }: Approval,
): Promise<Rule> {
  const inPlace = { ...ask, place };
  if (!exceptFrom) return mayChange(declared, deps, inPlace, instance, undefined);
  const approving = await mayChange(declared, deps, inPlace, instance, 'an exception');
  const { freezes } = await deps.access.policy();
  const at = deps.clock.now();
  if (freezes !== 'unreadable' && stillFrozen(exceptFrom, freezes, at).length === 0) {
    await deps.approvals.decide(id, { how: 'thawed', at });
    throw new Refusal('over', decidedAlready({ how: 'thawed', at }));
  }
  return approving;
}
