import type { Ask, Reply } from '../../core/ask/ask.ts';
import { type Entry, entryOf } from '../../core/audit/entry.ts';
import type { Route } from '../../core/intake/route.ts';
import { CANCELED, wasCanceled } from '../../core/offers/canceled.ts';
import type { DeadLetterHandlers } from '../../core/outbox/send-posts.ts';
import { granteeWords } from '../../core/policy/messages.ts';
import { lineOf } from '../../core/policy/owned.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import { Refusal } from '../../core/refusal.ts';
import { person, say, time } from '../../platform/slack/phrase.ts';
import { UNSAID, endExpired } from './ask-to-take.ts';
import type { Message } from '../../platform/slack/message.ts';
import {
  canceledMessage,
  type Taken,
  takenMessage,
  toldMessage,
  unsaidMessage,
  HANDOVER_ROUTES,
} from './messages.ts';
import {
  editsOf,
  EXPIRED,
  HANDOVERS,
  messageIdOf,
  type Offered,
  type HandoverDeps,
  isIn,
  isSame,
  listThings,
  type Thing,
  splitByRight,
} from './things.ts';

/** The two answers to a handover. */
export function answerRoutes(deps: HandoverDeps): readonly Route[] {
  return [
    {
      id: HANDOVER_ROUTES.take,
      verb: 'take over',
      permission: 'operations:read',
      writes: true,
      isAskable: false,
      summary: 'take over what somebody hands over',
      came: async ({ id, value = '' }) => {
        const { usedBy } = await deps.offers.find(HANDOVERS, value);
        return usedBy === id ? { lines: [say`You took it over. Its message says what moved.`] } : undefined;
      },
      handle: async (ask, audit) => {
        const reply = await take(deps, ask);
        audit('recorded');
        return reply;
      },
    },
    {
      id: HANDOVER_ROUTES.cancel,
      verb: 'cancel a handover',
      // Whoever asked can take it back, whatever they may by now.
      permission: undefined,
      writes: true,
      isAskable: false,
      summary: 'keep what you wanted to hand over',
      came: async ({ value = '' }) =>
        (await deps.offers.find(HANDOVERS, value)).usedBy === CANCELED ? stillYours() : undefined,
      handle: async (ask, audit) => {
        const reply = await cancel(deps, ask);
        audit('recorded');
        return reply;
      },
    },
  ];
}

/** Who hands over hears that nobody was asked. */
export function handoverDeadLetters({
  offers,
  outbox,
}: Pick<HandoverDeps, 'offers' | 'outbox'>): DeadLetterHandlers {
  return {
    [UNSAID]: async (offerId) => {
      const { what } = await offers.find(HANDOVERS, offerId);
      if (await mayStillReach(outbox, offerId)) return;
      if (!what || (await offers.use(HANDOVERS, offerId, CANCELED)) !== CANCELED) return;
      await outbox.post({
        id: `unsaid-${offerId}`,
        to: { userId: what.actor.userId },
        content: unsaidMessage(what),
        isForPlaceAlone: true,
      });
    },
  };
}

/** Whether one of its messages stands, or is on its way still. */
async function mayStillReach(outbox: HandoverDeps['outbox'], offerId: string): Promise<boolean> {
  const all = await Promise.all(
    (['place', 'alone'] as const).map((where) => outbox.find(messageIdOf(offerId, where))),
  );
  return all.some((one) => one !== undefined && one.state !== 'dead-lettered');
}

/** "I have it": all that was shown, is still theirs and may be had passes in one commit. Throws a Refusal. */
async function take(deps: HandoverDeps, ask: Ask): Promise<Reply> {
  const offerId = ask.value ?? '';
  const { what, usedBy } = await deps.offers.find(HANDOVERS, offerId);
  if (!what) throw expired();
  // A press that is carried out twice has done it: its message says so.
  if (usedBy === ask.id) return undefined;
  if (usedBy !== undefined) throw usedBefore(what, usedBy);
  if (ask.askedAt > what.expiresAt) {
    await endExpired(deps, offerId, what);
    throw expired(what);
  }
  await refuseOthers(deps, ask, what);
  const by = await deps.offers.useWith(HANDOVERS, offerId, ask.id, () => taking(deps, ask, offerId, what));
  if (by !== ask.id) throw usedBefore(what, by);
  return undefined;
}

/** So often it is read again what is somebody's, where that moves meanwhile. */
const MOST_TRIES = 50;

/** The commit that has it pass, with what everybody reads of it. */
async function taking(
  deps: HandoverDeps,
  ask: Ask,
  offerId: string,
  what: Offered,
): Promise<Commit<'moved'>> {
  const { sources, outbox, clock } = deps;
  const at = clock.now();
  const handover = { from: what.actor.userId, to: ask.actor.userId, at, requestId: ask.id };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const movable = (await listThings(deps, handover.from)).filter(({ stays }) => stays === undefined);
    const still = movable.filter((one) => isIn(what.things, one));
    // By what they may where it was offered, wherever they press it.
    const { theirs, others } = await splitByRight(deps, ask.actor, still, what.place.channelId);
    // Somebody else may be able to.
    if (theirs.length === 0 && others.length > 0) throw noneOfIt();
    const parts = await Promise.all(
      sources.map(async (source) => {
        const ids = theirs.filter((one) => one.source === source.name).map(({ id }) => id);
        return ids.length === 0 ? {} : source.moving(ids, handover);
      }),
    );
    // What is said is what moves: all of it, or it is read again.
    const moving = parts.filter((one) => one !== undefined);
    if (moving.length < parts.length) continue;
    const taken: Taken = {
      ...handover,
      moved: theirs.map(({ line }) => line),
      gone: what.things.filter((one) => !still.some((other) => isSame(one, other))).map(({ line }) => line),
      kept: [...others, ...movable.filter((one) => isIn(what.kept, one))].map(({ line }) => line),
      since: movable.filter((one) => !isIn([...what.things, ...what.kept], one)).map(lineOf),
    };
    return together<'moved'>(
      ...moving,
      await outbox.saying(
        [
          ...editsOf(offerId, takenMessage(taken)),
          {
            id: `handed-${offerId}`,
            to: { userId: handover.from },
            content: toldMessage(taken),
            isForPlaceAlone: true,
          },
        ],
        'moved',
      ),
      {
        audit: entriesOf(ask, at, theirs, { ...handover, moved: theirs.length }),
      },
    );
  }
  throw new Error('handing over: what is to move is never what was read');
}

/** One entry for each instance that what moved is about, so that its story has it; one alone where that is none. */
function entriesOf(
  ask: Ask,
  at: number,
  theirs: readonly Thing[],
  { from, to, moved }: { readonly from: string; readonly to: string; readonly moved: number },
): readonly Entry[] {
  const targets = new Map(theirs.flatMap(({ needs }) => needs.of).map((one) => [one.id, one]));
  const result = { result: 'done', args: { from, to, moved } };
  if (targets.size === 0) return [entryOf(ask, 'set', at, result)];
  return [...targets.values()].map(({ id, name }) =>
    entryOf(ask, 'set', at, { ...result, target: { id, name } }),
  );
}

function stillYours(): Message {
  return { lines: [say`Canceled. All of it is still yours.`] };
}

async function cancel({ offers, outbox, clock }: HandoverDeps, ask: Ask): Promise<Reply> {
  const offerId = ask.value ?? '';
  const { what, usedBy } = await offers.find(HANDOVERS, offerId);
  if (!what) throw expired();
  const { userId } = what.actor;
  if (userId !== ask.actor.userId)
    throw new Refusal('foreign', say`Only ${person(userId)} can cancel that. Nothing was changed.`);
  if (usedBy === CANCELED) return stillYours();
  const by = await offers.useWith(HANDOVERS, offerId, CANCELED, async () =>
    together<'moved'>(await outbox.saying(editsOf(offerId, canceledMessage(userId)), 'moved'), {
      audit: entryOf(ask, 'set', clock.now(), { result: 'done' }),
    }),
  );
  if (by === CANCELED) return stillYours();
  if (by === EXPIRED) throw expired(what);
  throw new Refusal('over', say`Too late to cancel: it was taken over already. Its message says by whom.`);
}

/** Throws a Refusal where it was asked of somebody else. */
async function refuseOthers(
  { userGroups }: HandoverDeps,
  { actor }: Ask,
  { actor: from, to }: Offered,
): Promise<void> {
  const whom = granteeWords(to);
  if (from.userId === actor.userId)
    throw new Refusal('confirmation-foreign', say`That is yours already; ${whom} can take it over.`);
  if ('userId' in to) {
    if (to.userId === actor.userId) return;
    throw new Refusal(
      'confirmation-foreign',
      say`That was asked of ${whom}, who can still take it over. Nothing was done for you.`,
    );
  }
  const members = await userGroups.members(to.groupId, true).catch(() => {
    throw new Refusal(
      'not-checked',
      say`I couldn't check with Slack who is in ${whom}, so nothing was changed. Try again in a minute.`,
    );
  });
  if (!members.has(actor.userId))
    throw new Refusal(
      'confirmation-foreign',
      say`That was asked of ${whom}, and you aren't in it. Nothing was done for you.`,
    );
}

function noneOfIt(): Refusal {
  return new Refusal(
    'no-right',
    say`You may not see or act on any of that, so nothing moved, and it can still be taken over.`,
  );
}

function usedBefore(what: Offered, usedBy: string): Refusal {
  if (usedBy === EXPIRED) return expired(what);
  return usedBy === CANCELED
    ? wasCanceled(what.actor)
    : new Refusal('over', say`That was taken over already. Its message says by whom.`);
}

function expired(what?: Offered): Refusal {
  return new Refusal(
    'confirmation-expired',
    what
      ? say`That could be taken over until ${time(what.expiresAt)}, so nothing moved. ${person(what.actor.userId)} can hand it over again.`
      : say`I have no record of that handover any more, so nothing moved.`,
  );
}
