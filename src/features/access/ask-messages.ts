import { reason } from '../../core/ask/messages.ts';
import type { AccessRequest } from '../../core/policy/access-requests.ts';
import type { Grant } from '../../core/policy/grant.ts';
import { holds, named, PURPOSES, roleWords } from '../../core/policy/messages.ts';
import { allowances, leastRoleWith, type Role } from '../../core/policy/permissions.ts';
import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { ago, channel, join, person, type Phrase, plain, say, time } from '../../platform/slack/phrase.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import { ACCESS_ROUTE } from './messages.ts';

/** How somebody who asked for a right is answered. */
export type How = NonNullable<AccessRequest['answered']>['how'];

export const ANSWER_ROUTES = { once: 'access.once', 'for 8 h': 'access.hours', no: 'access.no' } as const;

/** How long what is allowed once can be used. */
export const ONCE_WITHIN_MS = 30 * MINUTE_MS;
/** How long a no stands before the same can be asked for again. */
export const NO_STANDS_MS = 10 * MINUTE_MS;

const MAX_TYPED = 100;
const MAX_WORDS = 20;
const MENTIONED = /^[UW][A-Z0-9]{7,}$/;

/** Where something was asked; `direct`: what direct messages are called, which nobody else can open. */
function placeWords(channelId: string, direct: string): Phrase {
  return isDirect(channelId) ? say`${direct}` : say`${channel(channelId)}`;
}

/** The id of the message that asks one admin. */
export function questionId(requestId: string, userId: string): string {
  return `ask-${requestId}-${userId}`;
}

/** What was asked for: "restart web-1 (101)", or what the permission is for. Pure. */
export function wanted({ asked, permission }: AccessRequest): Phrase {
  return asked?.what ?? say`${PURPOSES[permission]}`;
}

/** What one press can allow. Pure. */
export function allowancesOf({ permission, target, asked }: AccessRequest): readonly How[] {
  if (asked?.isUnclear) return [];
  return allowances(permission, target !== undefined).filter((how) => how !== 'once' || !asked?.outlastsOnce);
}

/** What an admin reads of it, with the answers that can be given. Pure. */
export function question(request: AccessRequest): Message {
  const { id } = request;
  const those = allowancesOf(request);
  const button = (how: How, label: string, style?: Button['style']): Button => ({
    label,
    routeId: ANSWER_ROUTES[how],
    value: id,
    style,
  });
  return {
    lines: [...askedWords(request, say` They can't do this yet.`), ...givenWords(request, those)],
    buttons: [
      ...(those.includes('once') ? [button('once', 'Allow once', 'primary')] : []),
      ...(those.includes('for 8 h') ? [button('for 8 h', 'Allow for 8 h')] : []),
      button('no', 'No'),
    ],
  };
}

/** The same once it is answered, for everybody who was asked. Pure. */
export function answeredQuestion(request: AccessRequest): Message {
  const { answered } = request;
  return { lines: [...askedWords(request, say``), ...(answered ? [answerWords(answered)] : [])] };
}

function askedWords(request: AccessRequest, more: Phrase): readonly Phrase[] {
  const { userId, channelId, asked, words } = request;
  const sent = asked?.because === undefined && words.length > 0 && isSaidByWords(request);
  return [
    say`🔑 ${person(userId)} asks to ${wanted(request)}, in ${placeWords(channelId, 'a direct message')}.${more}`,
    ...(asked?.because === undefined ? [] : reason({ because: asked.because })),
    ...(sent ? [say`They sent: ${commandOf(request)}`] : []),
  ];
}

/** Whether only the words say what is asked for exactly. */
function isSaidByWords({ asked, target }: AccessRequest): boolean {
  return (target === undefined || asked?.outlastsOnce === true) && !asked?.isUnclear;
}

/** What each answer gives. */
function givenWords(request: AccessRequest, those: readonly How[]): readonly Phrase[] {
  const { userId, permission, target, asked } = request;
  if (asked?.isUnclear)
    return [
      say`No instance has exactly that name or id, or several have, so there is nothing to allow. Tell them what to send.`,
    ];
  const role = leastRoleWith(permission);
  const grant = { role, ...(target ? { target, on: [target.id] } : {}) };
  const lasting = asked?.outlastsOnce && role !== 'admin' ? [lastingWords(request, role)] : [];
  if (those.length === 0 && lasting.length === 0)
    return [say`It can't be allowed here: if you agree, send it yourself.`];
  return [
    ...lasting,
    ...(those.includes('once') ? [say`Allow once lets them do this one thing within 30 minutes.`] : []),
    ...(role === 'admin' ? [say`It doesn't make them an admin.`] : []),
    ...(those.includes('for 8 h')
      ? [say`Allow for 8 h means ${person(userId)} ${holds(grant, 'is')} for that time.`]
      : []),
  ];
}

/** What helps where to be allowed once doesn't. */
function lastingWords({ userId, target }: AccessRequest, role: Role): Phrase {
  const on = target ? say` on ${target.id}` : say``;
  return say`Once isn't enough: I look at their right again later. For good, type /lamplighter access grant ${role} ${person(userId)}${on}.`;
}

/** "@admin allowed it once 2 minutes ago." */
function answerWords({ by, how, at }: NonNullable<AccessRequest['answered']>): Phrase {
  if (how === 'no') return say`⛔ ${person(by)} said no ${ago(at)}.`;
  return say`✅ ${person(by)} allowed it ${how} ${ago(at)}.`;
}

/** To somebody who answers what is answered. Pure. */
export function answeredAlready({ by, how, at }: NonNullable<AccessRequest['answered']>): Phrase {
  const what = how === 'no' ? say`said no to that` : say`allowed that ${how}`;
  return say`${person(by)} ${what} ${ago(at)}, so nothing was changed.`;
}

/** To the person who asked. Pure. */
export function askedMessage(admins: readonly string[]): Message {
  return {
    lines: [
      say`I asked ${people(admins)}. I'll message you when ${admins.length === 1 ? 'they answer' : 'one of them answers'}.`,
    ],
  };
}

/** To the person who asked, where none of those who could give it can be written to. Pure. */
export function nobodyReached(admins: readonly string[]): Phrase {
  return say`I couldn't ask anyone: Slack doesn't let me message the people who can allow it (${named(admins)}). Ask the person who runs this bot to name an admin who is there in LAMPLIGHTER_ADMINS.`;
}

/** To somebody who asks for what they have asked for and nobody has answered. Pure. */
export function askedAlready(at: number, of: readonly string[]): Phrase {
  return say`You asked ${people(of)} for that ${ago(at)}, and nobody has answered yet. I'll message you when that happens.`;
}

/** To somebody who asks again for what they were just refused. Pure. */
export function refusedLately({ by, at }: NonNullable<AccessRequest['answered']>): Phrase {
  return say`${person(by)} said no to that ${ago(at)}. You can ask again after ${time(at + NO_STANDS_MS)}.`;
}

/** To the person who answered. `grant`: what was given. Pure. */
export function answeredMessage({ userId }: AccessRequest, grant: Grant | undefined): Message {
  const them = person(userId);
  return {
    lines: [
      grant
        ? say`Allowed: ${them} ${holds(grant, 'is')}. I've messaged them.`
        : say`You said no, and I've messaged ${them}. Nothing was changed.`,
    ],
  };
}

/** The answer as its asker reads it. `next`: what they can do now. Pure. */
export function toldAnswer(request: AccessRequest, grant: Grant | undefined, next?: Phrase): Message {
  const { answered } = request;
  const by = person(answered?.by ?? '');
  if (!grant) {
    const again = answered ? say` You can ask again after ${time(answered.at + NO_STANDS_MS)}.` : say``;
    return { lines: [say`🔑 ${by} said no: you asked to ${wanted(request)}.${again}`] };
  }
  const allowed = grant.once
    ? say`🔑 ${by} allowed you to ${roleWords(grant)}.`
    : say`🔑 ${by} allowed you to ${wanted(request)}: you ${holds(grant, 'are')}.`;
  return { lines: [allowed, ...(next ? [next] : [])] };
}

/** How what was refused is done once it is allowed, where no button does it. Pure. */
export function doItAgain(request: AccessRequest): Phrase {
  const { route, words, value, channelId } = request;
  if (route === APPROVAL_ROUTES.approve)
    return say`Now press Approve on the message in ${channel(channelId)}.`;
  if (route === APPROVAL_ROUTES.refuse) return say`Now press Refuse on the message in ${channel(channelId)}.`;
  if (words.length === 0 && value !== undefined)
    return say`Now press that again in ${placeWords(channelId, 'our direct messages')}.`;
  return say`Now send it again: ${commandOf(request)}`;
}

/** What was typed, as it can be sent again. */
function commandOf({ route, words }: AccessRequest): Phrase {
  const typed = words.map((word) => {
    // Slack gives the id of somebody who was mentioned.
    if (route === ACCESS_ROUTE && MENTIONED.test(word)) return say`${person(word)}`;
    return say`${plain(/\s/.test(word) ? `"${word}"` : word, MAX_TYPED)}`;
  });
  return join([say`/${route.replace('.', ' ')}`, ...typed.slice(0, MAX_WORDS)], ' ');
}

/** "@ana, @bob and @fin". */
function people(userIds: readonly string[]): Phrase {
  const all = userIds.map((userId) => say`${person(userId)}`);
  const last = all.at(-1) ?? say`nobody`;
  return all.length < 2 ? last : say`${join(all.slice(0, -1), ', ')} and ${last}`;
}
