import type { Changing } from './changing.ts';
import { aboutApproval, type Approval } from '../approvals/approval.ts';
import { decidedAlready } from '../approvals/messages.ts';
import { nameOf } from '../instances/messages.ts';
import { entryOf } from '../audit/entry.ts';
import type { Said } from '../outbox/outbox.ts';
import { approvalOf } from '../policy/pattern.ts';
import { isSame } from '../instances/facts.ts';
import { adminsOf, ruleText } from '../policy/messages.ts';
import { isOfAdmin, type AccessRule } from '../policy/decide.ts';
import { stillFrozen } from '../policy/freeze.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { SERVED_FOR_MS } from '../../platform/slack/response-url.ts';
import { begin, checkBefore, mayChange, whatOf } from './begin-change.ts';
import type { Args, Declared } from './declaration.ts';
import { askApproval, type Pressed, type ApprovalRequest } from './ask-approval.ts';

/**
 * Begins what one person asked for, or, where a second person must approve it or is to except it from a freeze, asks for that. An
 * admin who gives a reason goes alone, and all admins are notified. Gives the reply; throws a Refusal.
 */
export async function beginOrAsk<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  wanted: ApprovalRequest<A>,
  pressed: Pressed,
  audit: AuditAttempt,
): Promise<Reply> {
  const { instance, override, rule, asksExceptFrom } = wanted;
  // One yes of an admin is enough where another would be needed as well.
  if (asksExceptFrom) return askApproval(declared, deps, ask, wanted, pressed, audit);
  if (!approvalOf(deps.approvalRules(), declared.verb, instance)) {
    audit('begun');
    return begin(declared, deps, ask, wanted, pressed);
  }
  if (override === undefined || !isOfAdmin(rule))
    return askApproval(declared, deps, ask, wanted, pressed, audit);
  audit('begun');
  const says = await toAllAdmins(declared, deps, ask, wanted);
  return begin(declared, deps, ask, wanted, { ...pressed, says });
}

/** Everybody who could have been asked hears that nobody was. */
async function toAllAdmins<A extends Args>(
  declared: Declared<A>,
  { access }: Changing,
  ask: Ask,
  { instance, args, override = '' }: ApprovalRequest<A>,
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
  deps: Changing,
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
  // What is said alone of what it begins is for who asked, where Slack still takes that.
  const isServed = ask.askedAt < approval.askedAt + SERVED_FOR_MS;
  const asked = { ...ask, actor, place, responseUrl: isServed ? approval.responseUrl : undefined };
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
      approving,
      ...(exceptFrom
        ? { exceptFrom: exceptFrom.map((one) => ({ id: one.id, by: one.by, why: one.why })) }
        : {}),
    },
    {
      approvalId: id,
      buttonTokenId: approval.buttonTokenId,
      asRead: checked.asRead,
      approvalEntry: entryOf(ask, 'approved', deps.clock.now(), {
        ...aboutApproval(approval),
        rule: approverRule,
      }),
    },
  ).catch((error: unknown) => notBegun(deps, id, error));
}

/** Throws why an approved change was not begun. */
async function notBegun({ approvals, clock }: Changing, approvalId: string, error: unknown): Promise<never> {
  // What the button asked for was begun by another press: nobody needs to approve it any more.
  if (error instanceof Refusal && error.code === 'button-used')
    await approvals.decide(approvalId, { how: 'void', at: clock.now() });
  throw error;
}

/**
 * What allows who presses to approve it: the right to it, and for an exception from a freeze that they could make the change in
 * spite of that. Throws a Refusal.
 */
async function mayApprove<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  { id, place, instance, exceptFrom }: Approval,
): Promise<AccessRule> {
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
