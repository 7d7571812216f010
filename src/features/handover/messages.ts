import { lineOf, type Owned } from '../../core/policy/owned.ts';
import type { Grantee } from '../../core/policy/grant.ts';
import { granteeWords } from '../../core/policy/messages.ts';
import { type Button, type Message, upTo } from '../../platform/slack/message.ts';
import { join, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import type { Offered } from './things.ts';

/** Ids of the routes: what is handed over to whom, and the two answers to it. */
export const HANDOVER_ROUTES = {
  handover: 'lamplighter.handover',
  take: 'handover.take',
  cancel: 'handover.cancel',
} as const;

/** So many lines fit a message of Slack with what else it says. */
const MAX_LINES = 40;

/** "One thing", "3 things". */
function things(count: number): string {
  return count === 1 ? 'One thing' : `${count} things`;
}

/** All that is somebody's own. `unseen`: how many they may not see where they ask. Pure. */
export function mineMessage(mine: readonly Owned[], unseen: number): Message {
  const rest = unseen === 0 ? [] : [say`${things(unseen)} can't be shown in this channel.`];
  if (mine.length === 0) return { lines: [say`Nothing open is yours here.`, ...rest] };
  return {
    lines: [say`This is yours now:`, ...rest],
    ...upTo(MAX_LINES, mine.map(lineOf)),
    note: say`To hand it over, type /lamplighter handover and mention who takes it.`,
  };
}

/** What whoever is asked reads; others may read it with them, where they don't read it `isAlone`. Pure. */
export function askMessage(
  offerId: string,
  { actor, to, things: those, kept: { length: kept }, expiresAt }: Offered,
  isAlone: boolean,
): Message {
  const from = person(actor.userId);
  const who = granteeWords(to);
  const whom = 'userId' in to ? who : say`members of ${who}`;
  const left =
    kept === 0
      ? []
      : [
          say`${things(kept)} ${kept === 1 ? 'stays' : 'stay'} with ${from}, because ${whom} may not see or act on ${kept === 1 ? 'it' : 'them'}.`,
        ];
  return {
    lines: [say`🤝 ${who}, ${from} hands this over to you:`, ...left],
    ...upTo(
      MAX_LINES,
      those.map(({ line }) => line),
    ),
    note: say`It stays ${from}'s unless someone presses I have it by ${time(expiresAt)}.`,
    buttons: [
      { label: 'I have it', routeId: HANDOVER_ROUTES.take, value: offerId, style: 'primary' },
      // In their own direct messages who hands over presses nothing.
      ...(isAlone ? [] : [cancelButton(offerId)]),
    ],
  };
}

function cancelButton(offerId: string): Button {
  return { label: 'Cancel', routeId: HANDOVER_ROUTES.cancel, value: offerId };
}

/** What who hands over reads: whom it was asked, what doesn't move and why, and whom they had asked before, who can't take it any more. Pure. */
export function askedMessage(
  offerId: string,
  { to, kept, expiresAt }: Pick<Offered, 'to' | 'kept' | 'expiresAt'>,
  stays: readonly Owned[],
  calledOff: readonly Grantee[],
): Message {
  const who = granteeWords(to);
  const before = join(calledOff.map(granteeWords), ' and ');
  const left = [
    ...stays.map(lineOf),
    ...kept.map(({ line }) => say`${line} ${who} may not see it or act on it here.`),
  ];
  return {
    lines: [
      say`Asked ${who}. It stays yours unless someone presses I have it by ${time(expiresAt)}.`,
      ...(calledOff.length === 0
        ? []
        : [say`What you had asked ${before} is called off, since it was about the same.`]),
      ...(left.length === 0 ? [] : [say`This stays yours in any case:`]),
    ],
    ...(left.length === 0 ? {} : upTo(MAX_LINES, left)),
    buttons: [cancelButton(offerId)],
  };
}

/** What came of it. */
export interface Taken {
  readonly from: string;
  readonly to: string;
  /** Redis' clock, Unix ms. */
  readonly at: number;
  readonly moved: readonly Phrase[];
  /** What was shown and didn't move: over, or somebody else's by now. */
  readonly gone: readonly Phrase[];
  /** What stays since who took it may not have it. */
  readonly kept: readonly Phrase[];
  /** What is theirs besides: new since they asked, or not to be shown where they did. */
  readonly since: readonly Phrase[];
}

/** In place of the message that asked. Pure. */
export function takenMessage({ from, to, at, moved, gone, kept }: Taken): Message {
  const rest = [
    ...(gone.length === 0
      ? []
      : [say`${things(gone.length)} didn't move: over, someone else's by now, or not to be moved any more.`]),
    ...(kept.length === 0
      ? []
      : [
          say`${things(kept.length)} didn't move, because ${person(to)} may not see or act on ${kept.length === 1 ? 'it' : 'them'}.`,
        ]),
  ];
  if (moved.length === 0)
    return { lines: [say`⚪ Nothing moved from ${person(from)} to ${person(to)}.`, ...rest] };
  return {
    lines: [say`✅ ${person(to)} has it since ${time(at)}, from ${person(from)}:`, ...rest],
    ...upTo(MAX_LINES, moved),
  };
}

/** To who handed over, in their direct messages. Pure. */
export function toldMessage({ to, at, moved, gone, kept, since }: Taken): Message {
  const head =
    moved.length === 0
      ? say`⚪ ${person(to)} pressed I have it, and nothing moved.`
      : say`✅ ${person(to)} has it since ${time(at)}:`;
  return {
    lines: [head],
    ...upTo(MAX_LINES, [
      ...moved,
      ...gone.map(
        (line) => say`Didn't move: ${line} It is over, someone else's by now, or can't move any more.`,
      ),
      ...kept.map((line) => say`Still yours: ${line} ${person(to)} may not see it or act on it.`),
      ...since.map((line) => say`Still yours, and not part of this handover: ${line}`),
    ]),
  };
}

/** In place of the message that asked. Pure. */
export function canceledMessage(from: string): Message {
  return { lines: [say`⚪ ${person(from)} canceled this handover, so nothing moved.`] };
}

/** The same, where it was asked once more: of somebody else, or of the same. Pure. */
export function calledOffMessage(from: string, { to, isSame }: { to: Grantee; isSame: boolean }): Message {
  return {
    lines: [
      isSame
        ? say`⚪ ${person(from)} asked ${granteeWords(to)} again in a newer message, so nothing moved by this one.`
        : say`⚪ ${person(from)} hands this over to ${granteeWords(to)} instead, so nothing moved.`,
    ],
  };
}

/** The same, where nobody took it by `at`. Pure. */
export function expiredMessage(from: string, at: number): Message {
  return { lines: [say`⚪ Nobody took this over by ${time(at)}, so it is still ${person(from)}'s.`] };
}

/** To who handed over, where the message that asks reached nobody. Pure. */
export function unsaidMessage({ to }: { readonly to: Grantee }): Message {
  return {
    lines: [
      say`I couldn't reach ${granteeWords(to)} with your handover, so all of it is still yours. Ask again in a channel that I'm in.`,
    ],
  };
}
