import type { Approval } from '../../core/approvals/approval.ts';
import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { type Button, buttonsAbout, type Row } from '../../platform/slack/message.ts';
import { channel, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import type { Rights } from './rights.ts';

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
