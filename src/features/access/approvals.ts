import { aboutApproval, type Approval } from '../../core/approvals/approval.ts';
import {
  anyOf,
  APPROVAL_ROUTES,
  decidedAlready,
  noApproval,
  notInTime,
} from '../../core/approvals/messages.ts';
import { entryOf } from '../../core/audit/entry.ts';
import { keptInFile } from './messages.ts';
import type { AccessRule } from '../../core/policy/decide.ts';
import { othersWhoMay } from '../../core/policy/others-who-may.ts';
import { leastRoleWith } from '../../core/policy/permissions.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import { group, person, type Phrase, say, channel, time } from '../../platform/slack/phrase.ts';
import type { Rights } from './rights.ts';
import { type Button, buttonsAbout, type Row } from '../../platform/slack/message.ts';

/** The buttons of a request that a second person must approve. Who may is asked of the verb that is approved. */
export function approvalRoutes(deps: Rights): readonly Route[] {
  const { approvals, clock } = deps;
  const route = (
    id: string,
    verb: string,
    summary: string,
    handle: Route['handle'],
    otherwise?: 'nothing',
  ): Route => ({
    id,
    verb,
    permission: undefined,
    writes: true,
    summary,
    handle,
    came: async ({ value = '' }) => {
      const decided = (await approvals.find(value))?.decided;
      return decided ? { lines: [decidedAlready(decided)] } : otherwise;
    },
  });
  const decide = async (
    ask: Ask,
    audit: AuditAttempt,
    approval: Approval,
    how: 'refused' | 'withdrawn',
    by?: AccessRule,
  ): Promise<undefined> => {
    const at = clock.now();
    const entry = entryOf(ask, 'set', at, aboutApproval(approval));
    const after = await approvals.decide(approval.id, { how, by: ask.actor.userId, at }, entry, () =>
      deps.access.using([by], ask.id),
    );
    if (!after)
      throw new Refusal(
        'over',
        say`Someone else has just decided that, so nothing was changed. Its message says how.`,
      );
    audit('recorded');
  };
  return [
    route(
      APPROVAL_ROUTES.approve,
      'approve',
      'approve what someone else asked for',
      async (ask, audit) => {
        const approval = await findOpen(deps, ask, audit);
        await mustBeAnother(deps, ask, approval);
        const change = deps.changes.find(({ id }) => id === approval.kind);
        if (!change)
          throw new Refusal('unknown-verb', say`I don't know that verb any more, so nothing was done.`);
        return change.approve(deps, ask, approval, audit);
      },
      // What it begins is written together with the end of the press.
      'nothing',
    ),
    route(APPROVAL_ROUTES.refuse, 'refuse', 'refuse what someone else asked for', async (ask, audit) => {
      const approval = await findOpen(deps, ask, audit);
      return decide(ask, audit, approval, 'refused', await mayDecide(deps, ask, approval));
    }),
    route(APPROVAL_ROUTES.withdraw, 'withdraw', 'cancel what you asked for', async (ask, audit) => {
      const approval = await findOpen(deps, ask, audit);
      if (approval.actor.userId !== ask.actor.userId) {
        const may = await mayDecide(deps, ask, approval).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            return false;
          },
        );
        const so = may ? say` You can refuse it.` : say``;
        throw new Refusal('foreign', say`Only ${person(approval.actor.userId)} can cancel that.${so}`);
      }
      return decide(ask, audit, approval, 'withdrawn');
    }),
  ];
}

/** The approval that was pressed, provided that nobody has decided it and its time isn't over. Throws a Refusal. */
async function findOpen({ approvals }: Rights, ask: Ask, audit: AuditAttempt): Promise<Approval> {
  const approval = await approvals.find(ask.value ?? '');
  if (!approval) throw new Refusal('gone', noApproval());
  audit(aboutApproval(approval));
  if (approval.decided) throw new Refusal('over', decidedAlready(approval.decided));
  // A yes that was said in time may have waited for its turn.
  if (ask.askedAt > approval.expiresAt) throw new Refusal('approval-expired', notInTime());
  return approval;
}

/** Throws a Refusal where the person who presses is the one who asked: the same account, or one with the same e-mail. */
async function mustBeAnother(deps: Rights, ask: Ask, approval: Approval): Promise<void> {
  const { people } = deps;
  const { actor } = approval;
  const own = async (): Promise<Refusal> =>
    new Refusal(
      'own-approval',
      say`You asked for that yourself, so someone else must approve it. ${await whoElse(deps, ask, approval)} Nothing was done.`,
    );
  if (ask.actor.userId === actor.userId) throw await own();
  const [mine, theirs] = await Promise.all([
    people.email(ask.actor.userId),
    people.email(actor.userId),
  ]).catch(() => {
    throw new Refusal(
      'not-checked',
      say`I couldn't check with Slack who you are, so nothing was done. Try again in a minute.`,
    );
  });
  if (mine !== undefined && mine === theirs) throw await own();
}

const MAX_NAMED = 5;

/** Who else can approve it, as a sentence. */
async function whoElse(
  { access, changes, clock, hosting }: Rights,
  ask: Ask,
  { actor, kind, instance, exceptFrom, place: { channelId } }: Approval,
): Promise<Phrase> {
  const permission = changes.find(({ id }) => id === kind)?.permission;
  if (permission === undefined) return say``;
  // Who may by its labels is known by those that it has now.
  const about = (await hosting.findInstance(instance.id).catch(() => undefined)) ?? instance;
  const asked = { permission, about, channelId, route: APPROVAL_ROUTES.approve, now: clock.now() };
  const besides = [actor.userId, ask.actor.userId];
  const policy = await access.policy();
  const others = othersWhoMay(policy, asked, besides, exceptFrom !== undefined);
  const named = [
    ...others.userIds.slice(0, MAX_NAMED).map((userId) => say`${person(userId)}`),
    ...others.groupIds.slice(0, MAX_NAMED).map((groupId) => say`anyone in ${group(groupId)}`),
    ...(others.isEverybody ? [say`any other full member`] : []),
  ];
  if (named.length === 0) {
    const nobody = say`Nobody else has the ${exceptFrom ? 'admin' : leastRoleWith(permission)} role for it yet`;
    return policy.rolesFile === undefined
      ? say`${nobody}: an admin can give it with /lamplighter access grant.`
      : say`${nobody}. ${keptInFile(policy.rolesFile)}`;
  }
  return say`${anyOf(named)} can.`;
}

/** Who may do it may also say no to it: by what they may. Throws a Refusal. */
async function mayDecide(
  { access, changes }: Rights,
  ask: Ask,
  approval: Approval,
): Promise<AccessRule | undefined> {
  const { instance, kind, place, exceptFrom } = approval;
  const change = changes.find(({ id }) => id === kind);
  if (!change) return undefined;
  // Who could make the change in spite of a freeze decides on an exception from it.
  const override = exceptFrom !== undefined;
  const at = { channelId: place.channelId, route: ask.route, operationId: ask.id, override };
  return access.require(ask.actor, change.permission, instance, at);
}

/** So many can be decided in the list, those that end first: a message has room for few rows with buttons. */
const MAX_SHOWN = 10;

/** The route that lists them. */
export const APPROVALS_WAITING = 'approval.waiting';

/** The part of the Home that says what waits for an approval: what this person may decide, and what they asked for. */
export function approvalsWaitingRoute(deps: Rights): Route {
  return {
    id: APPROVALS_WAITING,
    verb: 'approvals',
    usage: '',
    spoken: {
      asks: ['(waiting|pending|waits|open) * (approval|approvals|approve)', '(approvals|approve) <that>?'],
    },
    permission: 'instances:read',
    writes: false,
    summary: 'what waits for an approval',
    handle: async (ask) => {
      const open = await deps.approvals.listOpen();
      const theirs = await Promise.all(open.map((approval) => isTheirs(deps, ask, approval)));
      const waiting = open
        .filter((_, index) => theirs[index])
        .toSorted((one, other) => one.expiresAt - other.expiresAt);
      return {
        lines: [waitingWords(waiting.length)],
        rows: waiting.slice(0, MAX_SHOWN).map((approval) => rowOf(ask, approval)),
        moreBullets: Math.max(0, waiting.length - MAX_SHOWN),
      };
    },
  };
}

async function isTheirs({ access, changes }: Rights, { actor }: Ask, approval: Approval): Promise<boolean> {
  if (approval.actor.userId === actor.userId) return true;
  const change = changes.find(({ id }) => id === approval.kind);
  if (!change) return false;
  const { instance, place, exceptFrom } = approval;
  const at = { channelId: place.channelId, override: exceptFrom !== undefined };
  return (await access.check(actor, change.permission, instance, at)).allowed;
}

/** One of them, to be decided at once: what somebody asked for themselves they can only take back. */
function rowOf(ask: Pick<Ask, 'actor'>, { id, actor, what, place, expiresAt, instance }: Approval): Row {
  const isOwn = actor.userId === ask.actor.userId;
  return {
    line: say`${person(actor.userId)} asks to ${what}, in ${channel(place.channelId)}, until ${time(expiresAt)}.`,
    buttons: buttonsAbout<Button>(
      instance,
      isOwn
        ? [{ label: 'Cancel the request', routeId: APPROVAL_ROUTES.withdraw, value: id }]
        : [
            { label: 'Approve', routeId: APPROVAL_ROUTES.approve, value: id, style: 'primary' },
            { label: 'Refuse', routeId: APPROVAL_ROUTES.refuse, value: id },
          ],
    ),
  };
}

function waitingWords(count: number): Phrase {
  if (count === 0) return say`Nothing is waiting for an approval.`;
  return count === 1
    ? say`🔐 One change is waiting for an approval:`
    : say`🔐 ${count} changes are waiting for an approval:`;
}
