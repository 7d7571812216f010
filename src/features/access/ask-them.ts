import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import { type AccessRequest, LAST_ASKS } from '../../core/policy/access-requests.ts';
import { adminsOf, PURPOSES, whoCanHelp } from '../../core/policy/messages.ts';
import type { PolicyTarget } from '../../core/policy/pattern.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { createRecords } from '../../core/records/records.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import { idOf } from '../../platform/id.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import {
  askedAlready,
  askedMessage,
  nobodyReached,
  NO_STANDS_MS,
  question,
  questionId,
  refusedLately,
} from './ask-messages.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Rights } from './rights.ts';

const MAX_ASKED = 5;
const MAX_TRIED = 2 * MAX_ASKED;
/** How long an ask that was begun and not written down stands in the way of another. */
const BEGUN_STANDS_MS = MINUTE_MS;

/** Asks those who can give it for the right that a request lacked, once. Throws a Refusal. */
export async function askThem(deps: Rights, ask: Ask): Promise<Reply> {
  const { access, accessRequests, outbox, clock } = deps;
  const request = await accessRequests.find(ask.value ?? '');
  if (!request || request.userId !== ask.actor.userId) throw tooLongAgo();
  const named = adminsOf(await access.policy());
  if (named.length === 0) throw new Refusal('no-admin', say`I asked nobody.${whoCanHelp(named)}`);
  const admins = await reachable(deps, named);
  if (admins.length === 0) throw new Refusal('no-admin', nobodyReached(named));
  const { target, asked: wanted } = await wantedBy(deps, ask, request);
  // Else whether it counts as asked already would say whether there is such an instance.
  const typed = typedWords(request.words);
  const isBlind = typed !== '' && !(await maySeeAll(deps, ask, request.channelId));
  const about = isBlind ? `typed ${typed}` : (target?.id ?? 'all');
  await mustBeFirst(deps, ask, request, about);
  const asked = { ...wanted, at: clock.now(), press: ask.id, of: [...admins] };
  // A press that is carried out twice asks what it asked before.
  const after = await accessRequests.change(
    request.id,
    (now) => (now.asked?.press === ask.id ? now : { ...now, ...(target ? { target } : {}), asked }),
    (next) => outbox.saying(questionsOf(next), 'moved'),
  );
  if (!after?.asked) throw tooLongAgo();
  return askedMessage(after.asked.of);
}

function tooLongAgo(): Refusal {
  return new Refusal('gone', say`That was too long ago to ask for it. Try it again first.`);
}

/** What each who is asked reads. */
function questionsOf(request: AccessRequest): readonly Said[] {
  const content = question(request);
  return (request.asked?.of ?? []).map((userId) => ({
    id: questionId(request.id, userId),
    to: { userId },
    content,
  }));
}

/** The first of some people whom Slack lets the bot write to: not who has left, or never was there. */
async function reachable({ messenger }: Bot, userIds: readonly string[]): Promise<readonly string[]> {
  const those = await Promise.all(
    userIds.slice(0, MAX_TRIED).map(async (userId) => {
      try {
        await messenger.directChannel(userId);
        return [userId];
      } catch (error) {
        // What may pass by itself is waited for by the message.
        return slackErrorOf(error).dead ? [] : [userId];
      }
    }),
  );
  return those.flat().slice(0, MAX_ASKED);
}

/** What is asked for exactly, of what `asked` is kept. */
interface WantedRight {
  readonly target: PolicyTarget | undefined;
  readonly asked: Pick<
    NonNullable<AccessRequest['asked']>,
    'what' | 'because' | 'args' | 'isUnclear' | 'outlastsOnce'
  >;
}

/** What is asked for exactly. Throws a Refusal where that isn't plain, and the person who asks may know why. */
async function wantedBy(deps: Rights, ask: Ask, request: AccessRequest): Promise<WantedRight> {
  const { route, permission, words, value, channelId, threadTs, target } = request;
  const approval = await approvalOf(deps, request);
  if (approval) return { target, asked: { what: [...approval] } };
  const change = deps.changes.find(({ id }) => id === route);
  if (!change) {
    const routes = deps.features().flatMap((feature) => feature.routes);
    const { outlastsOnce } = routes.find(({ id }) => id === route) ?? {};
    return { target, asked: { what: [...say`${PURPOSES[permission]}`], outlastsOnce } };
  }
  const refused: Ask = {
    id: request.id,
    route,
    words,
    value,
    picked: request.picked,
    actor: ask.actor,
    place: placeOf(channelId, threadTs),
    replaces: false,
    askedAt: request.at,
  };
  try {
    const { instance, what, args, because, turnsBack } = await change.lookUp(deps, refused);
    return {
      target: { id: instance.id, name: instance.name },
      asked: { what: [...what], args, because, outlastsOnce: turnsBack || undefined },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const typed = typedWords(words);
    if (typed === '')
      throw new Refusal(
        'changed',
        say`What that button was for has changed or is gone, so I asked nobody. Nothing was done.`,
      );
    // Who may not see instances doesn't hear which there are.
    if (await maySeeAll(deps, ask, channelId))
      throw new Refusal(
        'unclear',
        say`I asked nobody, because "${typed}" doesn't name exactly one instance. Send it again with an exact name or id.`,
      );
    return { target, asked: { what: [...say`${verbOf(route)} "${typed}"`], isUnclear: true } };
  }
}

/** "approve @ana's request to restart web-1 (101)", where that is what was refused. */
async function approvalOf(
  { approvals }: Rights,
  { route, value }: AccessRequest,
): Promise<Phrase | undefined> {
  const verb = { [APPROVAL_ROUTES.approve]: 'approve', [APPROVAL_ROUTES.refuse]: 'refuse' }[route];
  const approval = verb === undefined ? undefined : await approvals.find(value ?? '');
  return verb !== undefined && approval
    ? say`${verb} ${person(approval.actor.userId)}'s request to ${approval.what}`
    : undefined;
}

function verbOf(route: string): string {
  return route.slice(route.indexOf('.') + 1);
}

/** The words before the options. */
function typedWords(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('--'));
  return words.slice(0, end < 0 ? words.length : end).join(' ');
}

async function maySeeAll({ access }: Rights, { actor }: Ask, channelId: string): Promise<boolean> {
  return (await access.check(actor, 'instances:read', 'all', { channelId })).allowed;
}

/** Throws a Refusal where the same person has asked for the same: while that is open, and for a while after a no. */
async function mustBeFirst(
  { redis, accessRequests, clock }: Rights,
  ask: Ask,
  { userId, permission }: AccessRequest,
  about: string,
): Promise<void> {
  const lastAsks = createRecords(redis, LAST_ASKS);
  const id = idOf(`asked ${userId} ${permission} ${about}`);
  for (;;) {
    const now = clock.now();
    const mine = { requestId: ask.value ?? '', press: ask.id, at: now };
    if ((await lastAsks.create(id, mine)).result === 'written') return;
    const last = await lastAsks.find(id);
    if (last?.press === ask.id) return;
    if (last) {
      const before = await accessRequests.find(last.requestId);
      const isBegun = before && !before.asked && now - last.at < BEGUN_STANDS_MS;
      if (isBegun) throw new Refusal('asked-already', askedAlready(last.at, []));
      const { answered } = before ?? {};
      if (before?.asked && !answered)
        throw new Refusal('asked-already', askedAlready(before.asked.at, before.asked.of));
      if (answered?.how === 'no' && now - answered.at < NO_STANDS_MS)
        throw new Refusal('refused-lately', refusedLately(answered));
      if (await lastAsks.change(id, (one) => (one.press === last.press ? mine : undefined))) return;
    }
  }
}
