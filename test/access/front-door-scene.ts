import { once } from 'node:events';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { PEOPLE, TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { CHANNELS } from '../../sandbox/slack/workspace/standard-channels.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { ALARM } from '../../src/features/billing/alerts/alarm-store.ts';
import { DIGEST } from '../../src/features/billing/digest/record.ts';
import { ACCESS } from '../../src/core/policy/access-record.ts';
import { type Permission, PERMISSIONS, type Role } from '../../src/core/policy/permissions.ts';
import type { Timings } from '../../src/core/timings.ts';
import { botMessages, opensModal, play, privateMessage } from '../support/sandbox.ts';
import { beginsACall, TABLE, type Way, WAYS } from './front-door-table.ts';

/** Who acts, and what they hold. */
export interface Player {
  readonly handle: string;
  readonly role: Role | 'none';
}

/** One cell of the table for one person. `x`: the instance that is its own. */
export interface Cell {
  readonly permission: Permission;
  readonly way: Way;
  readonly player: Player;
  readonly x: string;
}

/** One person for each role, and one without any. */
export const ONE_EACH: readonly Player[] = (['none', 'viewer', 'operator', 'finance', 'admin'] as const).map(
  (role) => ({ handle: `has-${role}`, role }),
);

const ADMIN = 'U0ADA000001';
const FIRST_ID = 1_000;
const BACKUPS_FROM = 5_000;
const PER_DAY = 10;
const SHARED = ['shared', 'broken', 'waiting'];

/** Every cell of the table for these people, those included that can't be reached. */
export function cellsOf(players: readonly Player[]): readonly Cell[] {
  return PERMISSIONS.flatMap((permission) =>
    WAYS.flatMap((way) =>
      players.map((player) => ({
        permission,
        way,
        player,
        x: `${permission.replace(':', '-')}-${way}-${player.handle}`,
      })),
    ),
  );
}

/** A sandbox in which everybody who plays is an admin by the configuration, until `demote`. */
export interface Scene {
  readonly sandbox: Sandbox;
  /** The id of the instance that is a cell's own, and of none but it. */
  idOf(x: string): number;
  /** Starts the bots again, with more in their environment. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** The same, with @admin as the only admin by the configuration: the others hold what they were given. */
  demote(): Promise<void>;
  /** Everything that can be set through the bot, as it is kept. */
  settings(): Promise<string>;
}

export interface SceneOptions {
  readonly timings?: Partial<Timings>;
  /** How the roles are narrowed: "in #random", "on other-*". */
  readonly narrowed?: string;
  /** The role of every full member once nobody who plays is an admin any more. */
  readonly everyone?: Role;
}

export async function openScene(
  players: readonly Player[],
  { timings = {}, narrowed = '', everyone }: SceneOptions = {},
): Promise<Scene> {
  const names = [...SHARED, ...cellsOf(players).map(({ x }) => x)];
  const rooms = cellsOf(players)
    .filter(beginsACall)
    .map(({ x }) => x);
  const idOf = (x: string): number => FIRST_ID + names.indexOf(x);
  const people = [...PEOPLE, ...players.filter(isNew).map(asPerson)];
  const sandbox = await play({
    hosting: {
      world: worldOf(
        names.map((name) =>
          instance(idOf(name), name, {
            dailyCredits: PER_DAY,
            behavior: name === 'broken' ? { endings: { restart: 'error' } } : {},
          }),
        ),
        {
          balanceCredits: names.length * PER_DAY * 4,
          addons: names.flatMap((name) =>
            name === 'shared' || name.startsWith('addons-change-modal')
              ? [{ id: BACKUPS_FROM + idOf(name), type: 'backup', instanceId: idOf(name) }]
              : [],
          ),
        },
      ),
    },
    // On a busy machine a hundred people who act side by side are not all answered within three seconds.
    slack: {
      people,
      channels: [...CHANNELS, { name: 'ours' }, ...rooms.map((name) => ({ name }))],
      deadlineMs: 30_000,
    },
    // Nor does the service answer each of their calls within the second and a half of other tests.
    timings: { cancelWindowMs: 600_000, apiTimeoutMs: 30_000, writeDownWithinMs: 30_000, ...timings },
    env: {
      LAMPLIGHTER_ADMINS: [...players.map((one) => idOfPlayer(one)), ADMIN].join(','),
      LAMPLIGHTER_EVERYONE: 'none',
    },
  });
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  for (const { handle } of players)
    for (const channel of ['#ops', '#billing', '#ours', ...rooms.map((x) => `#${x}`)])
      sandbox.slack.channel(channel).add(handle);
  await giveRoles(sandbox, players, narrowed);
  const restart: Scene['restart'] = async (env) => {
    await sandbox.stopBots();
    await sandbox.startBot(env);
  };
  return {
    sandbox,
    idOf,
    restart,
    demote: async () => {
      // What the bot reads as it starts is asked for by nobody.
      const isRead = once(sandbox.hosting.events, 'call');
      await restart({ LAMPLIGHTER_ADMINS: ADMIN, ...(everyone ? { LAMPLIGHTER_EVERYONE: everyone } : {}) });
      await isRead;
    },
    settings: async () =>
      JSON.stringify(
        await Promise.all([ACCESS.key, ALARM.key, DIGEST.key].map((one) => redis.hget(one, 'version'))),
      ),
  };
}

async function giveRoles(sandbox: Sandbox, players: readonly Player[], narrowed: string): Promise<void> {
  for (const { handle, role } of players.filter(isNew)) {
    if (role === 'none') continue;
    await sandbox.slack
      .person('admin')
      .types('#ops', `/lamplighter access grant ${role} @${handle} ${narrowed}`);
    await privateMessage(sandbox, 'admin', `@${handle} is `);
  }
}

function isNew({ handle }: Player): boolean {
  return !PEOPLE.some((one) => one.handle === handle);
}

function idOfPlayer({ handle }: Player): string {
  const known = PEOPLE.find((one) => one.handle === handle)?.id;
  return known ?? `U0${handle.toUpperCase().replace(/\W/g, '')}01`;
}

function asPerson(player: Player): (typeof PEOPLE)[number] {
  const { handle } = player;
  return { id: idOfPlayer(player), handle, name: handle, teamId: TEAM.id };
}

/** What stands in the channel before anybody acts: an alert, an operation that waits, one that failed, a question. */
export async function setTheStage({ sandbox }: Scene, cells: readonly Cell[]): Promise<void> {
  const { slack } = sandbox;
  const admin = slack.person('admin');
  const publicly = (words: string): Promise<PostedMessage> =>
    slack.until(() => botMessages(sandbox).find((one) => slack.read(one).includes(words)));
  await admin.types('#ops', '/billing alerts here');
  await publicly('The balance is');
  await admin.types('#ops', '/instances restart broken');
  await publicly('[ Show ]');
  await remove(sandbox, 'waiting');
  for (const { permission, way, x } of cells) {
    if (TABLE[permission].before !== undefined && TABLE[permission][way]) await remove(sandbox, x);
  }
  const bob = slack.person('bob');
  await bob.types('#ops', '/instances stop shared');
  await bob.presses(await privateMessage(sandbox, 'bob', 'You need the operator role'), 'Ask them');
}

async function remove(sandbox: Sandbox, name: string): Promise<void> {
  const modal = await opensModal(sandbox, 'admin', `/instances delete ${name}`);
  await sandbox.slack.person('admin').submits(modal, { typed: name });
  await sandbox.slack.until(() =>
    botMessages(sandbox).some((one) => {
      const text = sandbox.slack.read(one);
      return text.includes(`${name} (`) && text.includes('[ Cancel ]');
    }),
  );
}
