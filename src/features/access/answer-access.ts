import { entryOf } from '../../core/audit/entry.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { BUTTON_TOKENS } from '../../core/offers/offers.ts';
import { buttonTokenToRepeat } from '../../core/lookup/resolve.ts';
import { granted } from '../../core/policy/access-record.ts';
import type { AccessRequest } from '../../core/policy/access-requests.ts';
import type { Grant } from '../../core/policy/grant.ts';
import { leastRoleWith } from '../../core/policy/permissions.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { together } from '../../core/records/commit.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import {
  allowancesOf,
  answeredAlready,
  answeredMessage,
  answeredQuestion,
  doItAgain,
  type How,
  ONCE_WITHIN_MS,
  questionId,
  toldAnswer,
  wanted,
} from './ask-messages.ts';
import type { Rights } from './rights.ts';
import { keptInFile } from './messages.ts';

const HOURS_MS = 8 * HOUR_MS;

/** An admin's answer to somebody who asked for a right: it counts once, and everybody who was asked reads it. Throws a Refusal. */
export async function answerRequest(deps: Rights, ask: Ask, how: How): Promise<Reply> {
  const { accessStore, outbox, clock } = deps;
  const request = await answered(deps, ask, how);
  const { id, userId, target, asked } = request;
  const grant = how === 'no' ? undefined : grantOf(request, how);
  const entry = entryOf(ask, 'set', clock.now(), { result: how, args: { userId }, target });
  const says: readonly Said[] = [
    { id: `answer-${id}`, to: { userId }, content: await messageToAsker(deps, request, grant) },
    ...(asked?.of ?? []).map((admin) => ({
      id: questionId(id, admin),
      content: answeredQuestion(request),
      isEdit: true as const,
    })),
  ];
  await accessStore.change(
    // Given once, however often this is carried out: it may have been used meanwhile.
    (record) =>
      grant && !record.grants.some((one) => one.id === grant.id) ? granted(record, grant) : record,
    async () => together<'moved'>({ audit: entry }, await outbox.saying(says, 'moved')),
  );
  return answeredMessage(request, grant);
}

/** The request with this answer. Throws a Refusal where it can't be given, or another stands. */
async function answered(
  { access, accessRequests, clock }: Rights,
  ask: Ask,
  how: How,
): Promise<AccessRequest & { readonly answered: NonNullable<AccessRequest['answered']> }> {
  const { rolesFile } = await access.policy();
  if (rolesFile !== undefined && how !== 'no') throw new Refusal('kept-in-file', keptInFile(rolesFile));
  const mine = { by: ask.actor.userId, how, at: clock.now(), press: ask.id };
  const asked = await accessRequests.find(ask.value ?? '');
  if (asked) {
    // Who can't give it can't refuse it either.
    const { on, until, target } = grantOf({ ...asked, answered: mine }, how === 'no' ? 'once' : how);
    const reach = how === 'no' ? { on, target } : { on, until, target };
    await access.requireWithin(ask.actor, 'access:grant', { channelId: ask.place.channelId }, [reach]);
  }
  const request = await accessRequests.change(ask.value ?? '', (one) => {
    if (one.answered) return undefined;
    if (how !== 'no' && !allowancesOf(one).includes(how))
      throw new Refusal(
        'not-allowable',
        say`That can't be allowed with this button any more, so nothing was changed. They can ask again.`,
      );
    return { ...one, answered: mine };
  });
  const known = request ?? (await accessRequests.find(ask.value ?? ''));
  if (!known?.answered)
    throw new Refusal('gone', say`That was too long ago, so nothing was changed. They can ask again.`);
  const { answered: stands } = known;
  // Only the same press, carried out twice, gives the same.
  if (stands.press !== ask.id) throw new Refusal('over', answeredAlready(stands));
  return { ...known, answered: stands };
}

/** What is given: for hours the least role that carries the right, for that instance alone; once, that one thing. */
function grantOf(
  request: AccessRequest & { readonly answered: NonNullable<AccessRequest['answered']> },
  how: 'once' | 'for 8 h',
): Grant {
  const {
    id,
    userId,
    permission,
    route,
    target,
    answered: { by, at },
  } = request;
  return {
    id: `asked-${id}`,
    role: leastRoleWith(permission),
    to: { userId },
    ...(target ? { on: [target.id], target } : {}),
    until: at + (how === 'once' ? ONCE_WITHIN_MS : HOURS_MS),
    ...(how === 'once' ? { once: { permission, route, what: [...wanted(request)] } } : {}),
    by,
    at,
  };
}

/** The answer as its asker reads it, with a button that does what was refused. */
async function messageToAsker(
  deps: Rights,
  request: AccessRequest,
  grant: Grant | undefined,
): Promise<Message> {
  if (!grant) return toldAnswer(request, grant);
  const button = await buttonFor(deps, request);
  if (button === 'changed' && request.target)
    return toldAnswer(
      request,
      grant,
      say`${nameOf(request.target)} has changed since you asked. Look at it before you go on.`,
    );
  if (button === undefined || button === 'changed') return toldAnswer(request, grant, doItAgain(request));
  return { ...toldAnswer(request, grant), buttons: [button] };
}

/** What does again what was refused, where it was asked; undefined where no button can. */
async function buttonFor(
  { changes, hosting, offers }: Rights,
  { route, target, asked, channelId, threadTs }: AccessRequest,
): Promise<Button | 'changed' | undefined> {
  if (!target || !changes.some(({ id }) => id === route)) return undefined;
  const instance = await hosting.findInstance(target.id).catch(() => 'unknown' as const);
  if (instance === 'unknown') return undefined;
  if (instance?.name !== target.name) return 'changed';
  const place = placeOf(channelId, threadTs);
  const value = await offers.make(BUTTON_TOKENS, buttonTokenToRepeat(instance, { ...asked, place }));
  const verb = route.slice(route.indexOf('.') + 1);
  return { label: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} it`, routeId: route, value };
}
