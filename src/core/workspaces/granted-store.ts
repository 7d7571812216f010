import { z } from 'zod';
import { readStored, toStored } from '../../platform/redis/stored.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { field, file, unfield, unfile, type Write } from '../records/commit.ts';
import { workspaceKeys } from './installation.ts';

/** How long a workspace may be missing among those that Slack lists before it counts as one that removed the bot. */
const MISSING_FOR_MS = DAY_MS;

/** `missingSince`: when Slack first left it out of its list, Redis' clock, Unix ms. */
const grantSchema = z.object({ enterpriseId: z.string(), missingSince: z.number().optional() });
type Grant = z.infer<typeof grantSchema>;

/** Which workspaces each organization's installation may be used in. */
export interface GrantedStore {
  /** The organization whose installation may be used in a workspace; undefined where there is none. */
  organizationOf(teamId: string): Promise<string | undefined>;
  /** The workspaces in which one may be used, each with its organization. */
  list(): Promise<readonly (readonly [teamId: string, enterpriseId: string])[]>;
  /** What is written where the installation of an organization goes: its workspaces but `others` are to be erased. */
  withoutOrganization(
    enterpriseId: string,
    others: ReadonlySet<string>,
    now: number,
  ): Promise<readonly Write[]>;
  /** What is written where Slack lists these workspaces of an organization. */
  asListed(enterpriseId: string, listed: Listed, now: number): Promise<readonly Write[]>;
}

export interface Listed {
  /** All that its installation may be used in. */
  readonly teamIds: readonly string[];
  /** Those of which Slack said besides that it may not any more. */
  readonly revoked: ReadonlySet<string>;
  /** Those with an installation of their own, where the bot goes on. */
  readonly others: ReadonlySet<string>;
}

export function createGrantedStore(redis: RedisConnection): GrantedStore {
  const { granted, leaving } = workspaceKeys;
  const all = async (): Promise<readonly (readonly [string, Grant])[]> =>
    Object.entries(await redis.hgetall(granted)).map(([teamId, text]) => [
      teamId,
      readStored(grantSchema, text),
    ]);
  const left = (teamId: string, { others }: Pick<Listed, 'others'>, now: number): readonly Write[] => [
    unfield(granted, teamId),
    ...(others.has(teamId) ? [] : [file(leaving, teamId, now)]),
  ];
  return {
    organizationOf: async (teamId) => {
      const text = await redis.hget(granted, teamId);
      const grant = text === null ? undefined : readStored(grantSchema, text);
      return grant?.missingSince === undefined ? grant?.enterpriseId : undefined;
    },
    list: async () =>
      (await all()).flatMap(([teamId, { enterpriseId, missingSince }]) =>
        missingSince === undefined ? [[teamId, enterpriseId] as const] : [],
      ),
    withoutOrganization: async (enterpriseId, others, now) =>
      (await all())
        .filter(([, grant]) => grant.enterpriseId === enterpriseId)
        .flatMap(([teamId]) => left(teamId, { others }, now)),
    asListed: async (enterpriseId, listed, now) => {
      const { teamIds, revoked } = listed;
      const known = (await all()).filter(([, grant]) => grant.enterpriseId === enterpriseId);
      const there = new Set(
        known.flatMap(([id, { missingSince }]) => (missingSince === undefined ? [id] : [])),
      );
      const come = teamIds.filter((teamId) => !there.has(teamId));
      const gone = known.filter(([teamId]) => !teamIds.includes(teamId));
      return [
        ...come.flatMap((teamId) => [
          field(granted, teamId, toStored({ enterpriseId } satisfies Grant)),
          unfile(leaving, teamId),
        ]),
        ...gone.flatMap(([teamId, { missingSince }]) => {
          // Slack's list alone may be wrong for once, and what is erased doesn't come back.
          if (revoked.has(teamId) || (missingSince !== undefined && now - missingSince > MISSING_FOR_MS))
            return left(teamId, listed, now);
          const marked: Grant = { enterpriseId, missingSince: now };
          return missingSince === undefined ? [field(granted, teamId, toStored(marked))] : [];
        }),
      ];
    },
  };
}
