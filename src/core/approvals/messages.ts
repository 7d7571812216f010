import { buttonsAbout, type Message } from '../../platform/slack/message.ts';
import { ago, group, join, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { frozenWords } from '../policy/messages.ts';
import { reason } from '../ask/messages.ts';
import type { Approval } from './approval.ts';

export const APPROVAL_ROUTES = {
  approve: 'approval.approve',
  refuse: 'approval.refuse',
  withdraw: 'approval.withdraw',
} as const;

/** What the channel reads of a request that a second person must approve, as it stands. Pure. */
export function approvalMessage(approval: Approval): Message {
  const { id, actor, what, because, exceptFrom, decided, expiresAt } = approval;
  const asked = exceptFrom
    ? say`🧊 ${person(actor.userId)} asks to ${what} during a freeze.`
    : say`🔐 ${person(actor.userId)} asks to ${what}.`;
  const why = reason({ because });
  if (decided) return { lines: [asked, ...why, decisionWords(decided, lost(actor.userId))] };
  return {
    lines: [
      asked,
      ...why,
      ...(exceptFrom ?? []).map((freeze) => frozenWords(freeze)),
      exceptFrom
        ? say`An admin can allow this one change before ${time(expiresAt)}; everything else stays frozen. Nothing has been done yet.`
        : say`Someone else with the same right must approve it before ${time(expiresAt)}. Nothing has been done yet.`,
      ...askedByName(approval).map((names) => say`${names}, can you approve it?`),
    ],
    buttons: buttonsAbout(approval.instance, [
      { label: 'Approve', routeId: APPROVAL_ROUTES.approve, value: id, style: 'primary' },
      { label: 'Refuse', routeId: APPROVAL_ROUTES.refuse, value: id },
    ]),
    menu: buttonsAbout(approval.instance, [
      { label: 'Cancel the request', routeId: APPROVAL_ROUTES.withdraw, value: id },
    ]),
  };
}

/** Those who are asked by name, as one phrase; none where nobody is. */
function askedByName({ approvers }: Approval): readonly Phrase[] {
  const { groupIds = [], userIds = [] } = approvers ?? {};
  const names = [...groupIds.map((id) => say`${group(id)}`), ...userIds.map((id) => say`${person(id)}`)];
  return names.length === 0 ? [] : [anyOf(names)];
}

/** "@ana", or "@ana, @bob or @fin". Pure. */
export function anyOf(names: readonly Phrase[]): Phrase {
  const last = names.at(-1) ?? say``;
  return names.length < 2 ? last : say`${join(names.slice(0, -1), ', ')} or ${last}`;
}

/** What they read below its message where nobody has answered for a while. Pure. */
export function askAgain(approval: Approval): Message {
  const { expiresAt } = approval;
  const names = askedByName(approval).map((one) => say`${one}, `);
  return { lines: [say`${join(names, '')}can you approve this? It waits until ${time(expiresAt)}.`] };
}

/** `asker`: who has lost the right to it, as the reader calls them: "@ana no longer has". */
function decisionWords(
  { how, by }: Pick<NonNullable<Approval['decided']>, 'how' | 'by'>,
  asker: Phrase,
): Phrase {
  const who = by === undefined ? say`` : say` by ${person(by)}`;
  switch (how) {
    case 'approved':
      return say`✅ Approved${who}. Its card shows the progress.`;
    case 'refused':
      return say`⛔ Refused${who}. Nothing was done.`;
    case 'withdrawn':
      return say`⚪ Canceled${who}. Nothing was done.`;
    case 'expired':
      return say`⚪ Nobody approved it in time. Nothing was done; ask again if you still want it.`;
    case 'void':
      return say`⚪ The instance has changed since this was asked. Nothing was done; ask again if you still want it.`;
    case 'thawed':
      return say`⚪ The freeze is over, so this needs no exception. Nothing was done; ask again if you still want it.`;
    case 'asker-no-right':
      return say`⚪ Canceled, because ${asker} the right to it. Nothing was done.`;
  }
}

function lost(userId: string): Phrase {
  return say`${person(userId)} no longer has`;
}

/**
 * What the asker reads below its message of how it was decided, where somebody else or time decided. Who did stands above, and
 * isn't mentioned again. Pure.
 */
export function messageToAsker({ what, actor, decided }: Approval): Message | undefined {
  if (!decided || decided.how === 'withdrawn') return undefined;
  const how = decisionWords({ how: decided.how }, say`you no longer have`);
  return { lines: [say`${person(actor.userId)}, you asked to ${what}.`, how] };
}

/** To somebody who asks for what waits already, and is told of its end. `link`: to its message, or nothing. Pure. */
export function waitsAlready({ actor, what, askedAt }: Approval, userId: string, link: Phrase): Phrase {
  return actor.userId === userId
    ? say`You asked to ${what} ${ago(askedAt)}, and that still waits for an approval.${link}`
    : say`${person(actor.userId)} asked to ${what} ${ago(askedAt)}, and that still waits for an approval.${link} I'll tell you how it ends.`;
}

/** What one who asked for the same reads alone of how it was decided. Pure. */
export function messageToFollower({ what, actor, decided }: Approval): Message | undefined {
  if (!decided) return undefined;
  return {
    lines: [
      say`🔐 ${person(actor.userId)} asked to ${what}, as you did.`,
      decisionWords(decided, lost(actor.userId)),
    ],
  };
}

/** To somebody who presses a button of a message that they still see as it was. Pure. */
export function decidedAlready({ how, by, at }: NonNullable<Approval['decided']>): Phrase {
  const who = by === undefined ? say`Someone` : person(by);
  switch (how) {
    case 'approved':
      return say`${who} approved that ${ago(at)}. Its card shows the progress.`;
    case 'refused':
      return say`${who} refused that ${ago(at)}, so nothing was done.`;
    case 'withdrawn':
      return say`${who} canceled that ${ago(at)}, so nothing was done.`;
    case 'expired':
      return notInTime();
    case 'void':
      return say`The instance has changed since that was asked, so nothing was done. Ask again.`;
    case 'thawed':
      return say`The freeze is over, so that needs no exception, and nothing was done. Whoever asked can ask again.`;
    case 'asker-no-right':
      return say`The person who asked for that no longer has the right to it, so nothing was done.`;
  }
}

/** To somebody who approves too late. */
export function notInTime(): Phrase {
  return say`Nobody approved that in time, so nothing was done. Ask again.`;
}

/** To somebody who presses a button of a request that was forgotten. */
export function noApproval(): Phrase {
  return say`I have no record of that any more, so nothing was done.`;
}
