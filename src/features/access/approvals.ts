import { aboutApproval, type Approval } from '../../core/approvals/approval.ts';
import { APPROVAL_ROUTES, decidedAlready, noApproval, notInTime } from '../../core/approvals/messages.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { RequestDeps } from '../../core/changes/begin-change.ts';
import type { Change } from '../../core/changes/change.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Note, Route } from '../../core/routing/route.ts';
import type { People } from '../../platform/slack/people.ts';
import { person, say } from '../../platform/slack/phrase.ts';

export interface ApprovalRoutesDeps extends RequestDeps {
  readonly people: People;
  /** Every verb that changes something. */
  readonly changes: readonly Change[];
}

/** The buttons of a request that a second person must approve. Who may is asked of the verb that is approved. */
export function approvalRoutes(deps: ApprovalRoutesDeps): readonly Route[] {
  const { approvals, clock } = deps;
  const route = (id: string, verb: string, summary: string, handle: Route['handle']): Route => ({
    id,
    verb,
    permission: undefined,
    writes: true,
    summary,
    handle,
  });
  const decide = async (
    ask: Ask,
    note: Note,
    approval: Approval,
    how: 'refused' | 'withdrawn',
  ): Promise<undefined> => {
    const at = clock.now();
    const entry = entryOf(ask, 'set', at, aboutApproval(approval));
    const after = await approvals.decide(approval.id, { how, by: ask.actor.userId, at }, entry);
    if (!after)
      throw new Refusal(
        'over',
        say`Somebody else has just decided that, so nothing was changed. Its message says how.`,
      );
    note('recorded');
  };
  return [
    route(APPROVAL_ROUTES.approve, 'approve', 'approve what somebody else asked for', async (ask, note) => {
      const approval = await findOpen(deps, ask, note);
      await mustBeAnother(deps, ask, approval);
      const change = deps.changes.find(({ id }) => id === approval.kind);
      if (!change)
        throw new Refusal('unknown-verb', say`I don't know that verb any more, so nothing was done.`);
      return change.approve(deps, ask, approval, note);
    }),
    route(APPROVAL_ROUTES.refuse, 'refuse', 'refuse what somebody else asked for', async (ask, note) => {
      const approval = await findOpen(deps, ask, note);
      await mayDecide(deps, ask, approval);
      return decide(ask, note, approval, 'refused');
    }),
    route(APPROVAL_ROUTES.withdraw, 'withdraw', 'withdraw what you asked for', async (ask, note) => {
      const approval = await findOpen(deps, ask, note);
      if (approval.actor.userId !== ask.actor.userId) {
        const may = await mayDecide(deps, ask, approval).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            return false;
          },
        );
        const so = may ? say` You can refuse it.` : say``;
        throw new Refusal('foreign', say`Only ${person(approval.actor.userId)} can withdraw that.${so}`);
      }
      return decide(ask, note, approval, 'withdrawn');
    }),
  ];
}

/** The approval that was pressed, provided that nobody has decided it and its time isn't over. Throws a Refusal. */
async function findOpen({ approvals, clock }: ApprovalRoutesDeps, ask: Ask, note: Note): Promise<Approval> {
  const approval = await approvals.find(ask.value ?? '');
  if (!approval) throw new Refusal('gone', noApproval());
  note(aboutApproval(approval));
  if (approval.decided) throw new Refusal('over', decidedAlready(approval.decided));
  if (clock.now() > approval.expiresAt) throw new Refusal('approval-expired', notInTime());
  return approval;
}

/** Throws a Refusal where the person who presses is the one who asked: the same account, or one with the same e-mail. */
async function mustBeAnother({ people }: ApprovalRoutesDeps, ask: Ask, { actor }: Approval): Promise<void> {
  const own = say`You asked for that yourself, so somebody else must approve it. Nothing was done.`;
  if (ask.actor.userId === actor.userId) throw new Refusal('own-approval', own);
  const [mine, theirs] = await Promise.all([
    people.email(ask.actor.userId),
    people.email(actor.userId),
  ]).catch(() => {
    throw new Refusal(
      'not-checked',
      say`I couldn't check with Slack who you are, so nothing was done. Try again in a minute.`,
    );
  });
  if (mine !== undefined && mine === theirs) throw new Refusal('own-approval', own);
}

/** Who may do it may also say no to it. Throws a Refusal. */
async function mayDecide(
  { access, changes }: ApprovalRoutesDeps,
  ask: Ask,
  approval: Approval,
): Promise<void> {
  const { instance, kind, place } = approval;
  const change = changes.find(({ id }) => id === kind);
  if (change)
    await access.require(ask.actor, change.permission, { target: instance, channelId: place.channelId });
}
