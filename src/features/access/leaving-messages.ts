import { question } from '../../core/ask/question.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { LEAVING_ROUTES } from './messages.ts';

/** What somebody holds, in lines: what can be taken back here, and what stays then. */
interface HeldLines {
  readonly userId: string;
  readonly ends: readonly Phrase[];
  readonly stays: readonly Phrase[];
}

/** All that one person holds, for themselves or for an admin. Pure. */
export function heldMessage({
  userId,
  ends,
  stays,
  isOwn,
  mayEnd,
}: HeldLines & { readonly isOwn: boolean; readonly mayEnd: boolean }): Message {
  const who = isOwn ? say`You hold` : say`${person(userId)} holds`;
  const bullets = [...ends, ...stays];
  if (bullets.length === 0) return { lines: [say`${who} nothing here.`] };
  return {
    lines: [say`${who}:`],
    bullets,
    ...(mayEnd && ends.length > 0
      ? { buttons: [{ label: 'Revoke all…', routeId: LEAVING_ROUTES.ask, value: userId, style: 'danger' }] }
      : {}),
  };
}

/** What would be taken back, for the admin who is asked. `hasChanged`: it was shown otherwise before. Pure. */
export function previewMessage({
  userId,
  ends,
  stays,
  hasChanged,
  offerId,
  offered,
}: HeldLines & {
  readonly hasChanged: boolean;
  readonly offerId?: string;
  /** The same for the button that cancels it. */
  readonly offered?: string;
}): Message {
  const them = person(userId);
  const changed = hasChanged ? [say`What ${them} holds has changed, so nothing was done.`] : [];
  const left = stays.map((one) => say`Stays: ${one}`);
  if (offerId === undefined)
    return { lines: [...changed, say`${them} holds nothing that can be taken back here.`], bullets: left };
  return question(
    {
      lines: [...changed, say`Revoke all that ${them} holds? This ends:`],
      bullets: [...ends, ...left],
      note: say`Schedules and watches end; they don't pass to you, because with your role they could reach more instances. I'll tell their channels.`,
      buttons: [{ label: 'Revoke all', routeId: LEAVING_ROUTES.end, value: offerId, style: 'danger' }],
    },
    offered,
  );
}

/** What the admin reads once it is taken back. Pure. */
export function endedMessage({ userId, ends, stays }: HeldLines): Message {
  return {
    lines: [say`Revoked all of this from ${person(userId)}:`],
    bullets: [...ends, ...stays.map((one) => say`Stays: ${one}`)],
    note: say`Applies immediately, including to pending requests.`,
  };
}

/** To the person themselves. Pure. */
export function toldEnded(by: string): Message {
  return {
    lines: [
      say`🔑 ${person(by)} took back what you held here: your roles, schedules, watches, agents and requests.`,
    ],
  };
}
