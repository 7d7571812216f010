import type { Approval } from '../../core/approvals/approval.ts';
import { type AccessRequest, listWaiting } from '../../core/policy/access-requests.ts';
import type { Policy } from '../../core/policy/decide.ts';
import { type Grant, isOpen } from '../../core/policy/grant.ts';
import type { Holding, Owned, OwnedSource } from '../../core/policy/owned.ts';
import { granteeWords, roleWords } from '../../core/policy/messages.ts';
import { saysWarningOver, targetWords, whenWords } from '../../core/schedules/messages.ts';
import { closed } from '../../core/schedules/schedule.ts';
import type { Schedule } from '../../core/schedules/schedule-record.ts';
import { channel, group, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { wanted } from './ask-messages.ts';
import type { WhoHolds } from './rights.ts';
import { passedOn } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen, keeperOf } from '../../core/policy/freeze.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import type { Approvals } from '../../core/approvals/approvals.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** Grants of a person that still give something. `now`: Redis' clock, Unix ms. Pure. */
export function openGrantsOf(grants: readonly Grant[], userId: string, now: number): readonly Grant[] {
  return grants.filter((one) => 'userId' in one.to && one.to.userId === userId && gives(one, now));
}

function gives(grant: Grant, now: number): boolean {
  return isOpen(grant, now) && grant.once?.usedBy === undefined;
}

/** All that anybody was given or has set here. What the configuration says is not among it, see `listFixed`. */
export async function listHoldings(deps: WhoHolds): Promise<readonly Holding[]> {
  const { access, accessStore, schedules, approvals, accessRequests, favorites, clock } = deps;
  const [{ grants }, { rolesFile }, scheduled, watched, waiting, requests, saved] = await Promise.all([
    accessStore.get(),
    access.policy(),
    schedules.list(),
    deps.moreHoldings(),
    approvals.listOpen(),
    listWaiting(accessRequests),
    favorites.list(),
  ]);
  const now = clock.now();
  return [
    ...grants.filter((one) => gives(one, now)).flatMap((one) => grantHeld(one, rolesFile)),
    ...grants.filter((one) => gives(one, now)).flatMap(givenBy),
    ...scheduled.filter(({ closed: end }) => !end).map((one) => scheduleHeld(deps, one)),
    ...watched,
    ...waiting.map(({ id, actor, what, place }): Holding => ({
      userId: actor.userId,
      line: approvalWaits({ what, place }),
      end: ({ by, at }) => approvals.deciding(id, { how: 'asker-no-right', by, at }),
    })),
    ...requests.map((request): Holding => ({
      userId: request.userId,
      line: requestWaits(request),
      end: ({ by, at, requestId }) =>
        accessRequests.moving(request.id, (one) =>
          one.answered ? undefined : { ...one, answered: { by, how: 'no', at, press: requestId } },
        ),
    })),
    ...saved.map(({ name, savedBy }): Holding => ({
      userId: savedBy,
      line: say`favorite "${name}".`,
      stays: say`Everyone uses it, and it gives no right; an admin can forget it.`,
    })),
  ];
}

/** That a change of theirs waits for an approval. Pure. */
function approvalWaits({ what, place }: Pick<Approval, 'what' | 'place'>): Phrase {
  return say`waits for an approval: ${what}, in ${channel(place.channelId)}.`;
}

/** That they asked for a right and wait for an answer. Pure. */
function requestWaits(request: AccessRequest): Phrase {
  return say`waits for an answer: asked to ${wanted(request)}, in ${channel(request.channelId)}.`;
}

function grantHeld(grant: Grant, rolesFile: string | undefined): readonly Holding[] {
  if (!('userId' in grant.to)) return [];
  const idle =
    rolesFile === undefined ? say`` : say` It doesn't count, because roles are kept in ${rolesFile}.`;
  return [{ userId: grant.to.userId, line: say`${roleWords(grant)}, by ${person(grant.by)}.${idle}` }];
}

/** A role that they gave somebody else, which doesn't end with theirs. */
function givenBy(grant: Grant): readonly Holding[] {
  const { by, to } = grant;
  if ('userId' in to && to.userId === by) return [];
  return [
    {
      userId: by,
      line: say`gave ${granteeWords(to)}: ${roleWords(grant)}.`,
      stays: say`Revoke it as well if it shouldn't apply.`,
    },
  ];
}

function scheduleHeld({ schedules }: WhoHolds, schedule: Schedule): Holding {
  const { id, owner, target, when, channelId } = schedule;
  const what = say`${whenWords(when)}, for ${targetWords(target)}`;
  return {
    userId: owner.userId,
    line: say`schedule in ${channel(channelId)}: ${what}.`,
    end: ({ by, at, requestId }) =>
      schedules.moving(
        id,
        (one) => closed(one, { at, why: 'removed', by }),
        (after, before) => [
          ...saysWarningOver(after, before.next, say`${person(by)} ended the schedule.`),
          {
            id: `schedule-${id}-${requestId}`,
            to: { channelId },
            content: {
              lines: [
                say`⏰ ${person(by)} ended the schedule of ${person(owner.userId)}, whose access was taken back: ${what}.`,
                say`If you still need it, schedule it again in your own name.`,
              ],
            },
          },
        ],
      ),
  };
}

/** What somebody holds by the configuration, the policy file or a user group, which nothing said in Slack takes back. */
export async function listFixed(deps: WhoHolds, userId: string): Promise<readonly Holding[]> {
  const { access, userGroups, namedPeople, clock } = deps;
  const policy = await access.policy();
  const now = clock.now();
  const named = namedPeople()
    .filter(({ names, from }) => names.includes(userId) && from !== rolesFrom(policy))
    .map(({ from }): Holding => ({
      userId,
      line: from === 'LAMPLIGHTER_ADMINS' ? say`admin, by ${from}.` : say`named in ${from}.`,
      stays: say`Take them out of ${from}.`,
    }));
  const { grants, rolesFile = '' } = policy;
  const open = grants === 'unreadable' ? [] : grants.filter((one) => gives(one, now));
  const inFile = policy.rolesFile === undefined ? [] : openGrantsOf(open, userId, now);
  const byGroup = await Promise.all(
    open.map(async (grant): Promise<readonly Holding[]> => {
      if (!('groupId' in grant.to)) return [];
      const { groupId } = grant.to;
      const members = await userGroups.members(groupId).catch(() => undefined);
      const line = say`${roleWords(grant)}, as everyone in ${group(groupId)}.`;
      if (members === undefined)
        return [{ userId, line: say`perhaps ${line}`, stays: say`Slack didn't say who is in that group.` }];
      return members.has(userId)
        ? [{ userId, line, stays: say`Take them out of ${group(groupId)} in Slack.` }]
        : [];
    }),
  );
  return [
    ...named,
    ...inFile.map((grant): Holding => ({
      userId,
      line: say`${roleWords(grant)}, by ${rolesFile}.`,
      stays: say`Take them out of ${rolesFile}.`,
    })),
    ...byGroup.flat(),
  ];
}

function rolesFrom({ rolesFile }: Policy): string | undefined {
  return rolesFile === undefined ? undefined : `roles in ${rolesFile}`;
}

/** The freezes that somebody keeps, and what they wait for or hold that can't be anybody else's. */
export function ownedAccess({
  accessStore,
  approvals,
  accessRequests,
  clock,
}: Pick<Bot, 'accessStore' | 'accessRequests' | 'clock'> & {
  readonly approvals: Pick<Approvals, 'listOpen'>;
}): OwnedSource {
  return {
    name: 'access',
    list: async (userId) => {
      const [{ freezes, grants }, waiting, requests] = await Promise.all([
        accessStore.get(),
        approvals.listOpen(),
        listWaiting(accessRequests),
      ]);
      const now = clock.now();
      return [
        ...freezes.filter((one) => isFrozen(one, now) && keeperOf(one) === userId).map(freezeOwned),
        ...waiting
          .filter(({ actor }) => actor.userId === userId)
          .map((one): Owned => ({
            id: one.id,
            line: approvalWaits(one),
            needs: { permission: 'instances:read', of: [one.instance] },
            stays: say`Who asked can't change. They can cancel it, and somebody else can ask for the same.`,
          })),
        ...requests
          .filter((one) => one.userId === userId)
          .map((one): Owned => ({
            id: one.id,
            line: requestWaits(one),
            needs: { permission: 'access:grant', of: one.target ? [one.target] : [] },
            stays: say`A right is asked for by whoever is to have it.`,
          })),
        ...openGrantsOf(grants, userId, now).flatMap((one) => endingSoon(one, now)),
      ];
    },
    moving: (ids, { from, to, at }) =>
      accessStore.moving((record) => passedOn(record, ids, { from, to, at })),
  };
}

function freezeOwned({ id, on, until, why }: Freeze): Owned {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`` : say` until ${time(until)}`;
  return {
    id,
    line: say`freeze of ${what}${end}: "${why}".`,
    needs: { permission: 'access:freeze', of: [], ...(on ? { within: { on, until } } : {}) },
  };
}

/** A right that ends within a day: who goes on without it has to know. */
function endingSoon(grant: Grant, now: number): readonly Owned[] {
  const { id, until } = grant;
  if (until === undefined || until - now > DAY_MS) return [];
  return [
    {
      id,
      line: say`${roleWords(grant)}.`,
      needs: { permission: 'access:grant', of: [] },
      stays: say`A right doesn't move; it ends ${time(until)}.`,
    },
  ];
}
