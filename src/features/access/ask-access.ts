import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Access } from '../../core/policy/access.ts';
import { type AccessStore, granted } from '../../core/policy/access-record.ts';
import type { AccessRequest, AccessRequestStore } from '../../core/policy/access-requests.ts';
import { findExactly } from '../../core/lookup/find.ts';
import type { Grant, Target } from '../../core/policy/grant.ts';
import { adminsOf, ASK_ACCESS_ROUTE, PURPOSES, roleWords } from '../../core/policy/messages.ts';
import { isChange, leastRoleWith } from '../../core/policy/permissions.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { ButtonTokenStore } from '../../core/operations/button-token-store.ts';
import { buttonTokenOf } from '../../core/lookup/resolve.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { keptInFile } from './messages.ts';
import { channel, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time/duration.ts';

export interface AskAccessDeps {
  readonly access: Access;
  readonly accessStore: AccessStore;
  readonly accessRequests: AccessRequestStore;
  readonly hosting: HostingService;
  readonly buttonTokens: ButtonTokenStore;
  readonly outbox: Outbox;
  readonly clock: Pick<RedisClock, 'now'>;
}

type How = NonNullable<AccessRequest['answered']>['how'];

const ONCE_WITHIN_MS = 30 * MINUTE_MS;
const HOURS_MS = 8 * HOUR_MS;
const MAX_ASKED = 5;
const ROUTES = { once: 'access.once', 'for 8 h': 'access.hours', no: 'access.no' } as const;

/** The button under a refusal that asks those who can give the right, and their answers. */
export function askAccessRoutes(deps: AskAccessDeps): readonly Route[] {
  const answer = (how: How, summary: string): Route => ({
    id: ROUTES[how],
    verb: how === 'no' ? 'refuse' : 'allow',
    permission: 'access:grant',
    writes: true,
    summary,
    handle: async (ask, note) => {
      note('recorded');
      return answerRequest(deps, ask, how);
    },
  });
  return [
    {
      id: ASK_ACCESS_ROUTE,
      verb: 'ask',
      permission: undefined,
      writes: true,
      summary: 'ask those who can give a right for it',
      handle: async (ask) => askThem(deps, ask),
    },
    answer('once', 'allow somebody once what they asked for'),
    answer('for 8 h', 'allow somebody for eight hours what they asked for'),
    answer('no', 'allow somebody nothing of what they asked for'),
  ];
}

async function askThem(deps: AskAccessDeps, ask: Ask): Promise<Reply> {
  const { access, accessRequests, outbox, clock } = deps;
  const request = await accessRequests.find(ask.value ?? '');
  if (!request || request.userId !== ask.actor.userId)
    throw new Refusal('gone', say`That was too long ago to ask for it. Try it again first.`);
  const admins = adminsOf(await access.policy()).slice(0, MAX_ASKED);
  if (admins.length === 0)
    throw new Refusal('no-admin', say`Nobody is an admin yet: the person who runs this bot can name one.`);
  const target = request.target ?? (await targetIn(deps, request));
  const asked = { ...request, ...(target ? { target } : {}) };
  await accessRequests.change(request.id, (now) => ({
    ...now,
    ...(target ? { target } : {}),
    askedAt: clock.now(),
  }));
  for (const userId of admins)
    await outbox.post({ id: `ask-${request.id}-${userId}`, to: { userId }, content: question(asked) });
  return {
    lines: [
      say`I asked ${admins.length === 1 ? 'the admin' : `${admins.length} admins`}. You hear from me when one of them answers.`,
    ],
  };
}

/** The instance that the refused words mean, where they were refused before anybody looked; undefined where that is not plain. */
async function targetIn(
  { hosting }: AskAccessDeps,
  { permission, words }: AccessRequest,
): Promise<Target | undefined> {
  const end = words.findIndex((word) => word.startsWith('--'));
  const typed = words.slice(0, end < 0 ? words.length : end).join(' ');
  if (!isChange(permission) || typed === '') return undefined;
  const list = await hosting.listInstances().catch(() => undefined);
  const found = list && findExactly(typed, list.instances);
  return found?.found === 'one' ? { id: found.instance.id, name: found.instance.name } : undefined;
}

/** What an admin reads of it. */
function question(request: AccessRequest): Message {
  const { id, userId, channelId, permission } = request;
  const button = (how: How, label: string, style?: Button['style']): Button => ({
    label,
    routeId: ROUTES[how],
    value: id,
    ...(style ? { style } : {}),
  });
  return {
    lines: [
      say`🔑 ${person(userId)} asks to ${wanted(request)}, in ${channel(channelId)}. They have no right to it.`,
    ],
    buttons: [
      ...(isChange(permission) && request.target ? [button('once', 'Allow once', 'primary')] : []),
      button('for 8 h', 'Allow for 8 h'),
      button('no', 'No'),
    ],
  };
}

/** "restart web-1 (101)", or what the permission is for. */
function wanted({ route, target, permission }: AccessRequest): Phrase {
  const [, verb = route] = route.split('.');
  return target ? say`${verb} ${target.name} (${target.id})` : say`${PURPOSES[permission]}`;
}

async function answerRequest(deps: AskAccessDeps, ask: Ask, how: How): Promise<Reply> {
  const { access, accessRequests, accessStore, outbox, clock } = deps;
  const { rolesFile } = await access.policy();
  if (rolesFile !== undefined && how !== 'no') throw new Refusal('kept-in-file', keptInFile(rolesFile));
  const now = clock.now();
  const by = ask.actor.userId;
  const mine = { by, how, at: now };
  const request = await accessRequests.change(ask.value ?? '', (one) =>
    one.answered ? undefined : { ...one, answered: mine },
  );
  const known = request ?? (await accessRequests.find(ask.value ?? ''));
  if (!known)
    throw new Refusal('gone', say`That was too long ago, so nothing was changed. They can ask again.`);
  const isMine = known.answered?.by === by && known.answered.how === how;
  // The same press once more gives the same; somebody else's answer stands.
  if (!request && !isMine)
    throw new Refusal(
      'over',
      say`${person(known.answered?.by ?? '')} has answered that already, so nothing was changed.`,
    );
  const grant = how === 'no' ? undefined : grantOf(known, how, by, now);
  await accessStore.change(
    (record) => (grant ? granted(record, grant) : record),
    entryOf(ask, 'set', now, {
      result: how,
      args: { userId: known.userId },
      ...(known.target ? { target: known.target } : {}),
    }),
  );
  await outbox.post({
    id: `answer-${known.id}`,
    to: { userId: known.userId },
    content: await toldAsker(deps, known, grant, by),
  });
  return {
    lines: [
      grant
        ? say`${person(known.userId)} is ${roleWords(grant)} now, and hears of it from me.`
        : say`${person(known.userId)} hears from me that you said no. Nothing was changed.`,
    ],
  };
}

/** What is given. A grant for hours is the least role that carries the right, for that instance alone. */
function grantOf(
  { id, userId, permission, target }: AccessRequest,
  how: 'once' | 'for 8 h',
  by: string,
  at: number,
): Grant {
  return {
    id: `asked-${id}`,
    role: leastRoleWith(permission),
    to: { userId },
    ...(target ? { on: [target.id] } : {}),
    until: at + (how === 'once' ? ONCE_WITHIN_MS : HOURS_MS),
    ...(how === 'once' ? { once: { permission } } : {}),
    by,
    at,
  };
}

/** The answer as its asker reads it, with a button that does what was refused. */
async function toldAsker(
  { hosting, buttonTokens }: AskAccessDeps,
  request: AccessRequest,
  grant: Grant | undefined,
  by: string,
): Promise<Message> {
  if (!grant) return { lines: [say`🔑 ${person(by)} said no to what you asked for: to ${wanted(request)}.`] };
  const { target, route } = request;
  const lines = [say`🔑 ${person(by)} allowed you to ${wanted(request)}: you are ${roleWords(grant)}.`];
  // Only what is about an instance and nothing else can be asked for by a button.
  const isAlone = route.startsWith('instances.');
  const instance = isAlone && target && (await hosting.findInstance(target.id).catch(() => undefined));
  if (!instance) return { lines: [...lines, say`Ask for it again in the same words.`] };
  const [, verb = 'go on'] = route.split('.');
  const value = await buttonTokens.create(buttonTokenOf(instance));
  return {
    lines,
    buttons: [{ label: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} it`, routeId: route, value }],
  };
}
