import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { canPress } from '../../sandbox/slack/acting/target.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { key } from '../../src/platform/redis/key.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { harvest, type Offer } from './beyond-offers.ts';
import { dmWith } from '../support/asking.ts';
import { answeredWith, answerTo, botMessages, opensModal, play, privateMessage } from '../support/sandbox.ts';

/**
 * Staging, which @ana may have, and production, which she may not once her role is cut. Nobody types a name with `secret` in it
 * then, so that who reads one has learned it.
 */

/** Whom the ways are tried for, and who gives the role. */
export const WHO = 'ana';
const WHO_ID = 'U0ANA000001';
export const GRANT = '/lamplighter access grant';
const SECRET_IDS = [201, 204, 205, 206, 207];
const POLL_EVERY_MS = 10;
const NO_ROLES = { LAMPLIGHTER_ADMINS: 'U0ADA000001', LAMPLIGHTER_EVERYONE: 'none' };

export interface Stage {
  readonly sandbox: Sandbox;
  /** What can be pressed, picked or filled in that stood before @ana lost the role, hers and other people's. */
  readonly offers: readonly Offer[];
  /** What of production, and of what people set for it, is kept now. */
  kept(): Promise<string>;
  /** Changes of any instance that were asked of the hosting service. */
  changes(): readonly string[];
  /** What @ana can read, and what was posted for everybody, each version of it; growing. */
  read(): ReadonlyMap<string, string>;
  /** Resolves when all that was asked is answered, and what came of it is in Slack. An operation waits for hours. */
  answered(): Promise<void>;
}

/** Has people set, ask for and be shown what there is, while @ana is an admin of everything. */
export async function openStage(): Promise<Stage> {
  const sandbox = await play({
    isRefused: true,
    timings: { cancelWindowMs: 600_000 },
    slack: { deadlineMs: 30_000 },
    hosting: {
      world: worldOf(
        [
          instance(101, 'staging-1', { dailyCredits: 100 }),
          instance(102, 'staging-2'),
          instance(201, 'prod-secret-1'),
          instance(202, 'prod-2'),
          instance(204, 'prod-secret-4'),
          instance(205, 'prod-approved-secret-5'),
          instance(206, 'prod-broken-secret-6', { behavior: { endings: { restart: 'error' } } }),
          instance(207, 'prod-secret-7'),
        ],
        { balanceCredits: 300, addons: [{ id: 5_001, type: 'backup', instanceId: 201 }] },
      ),
    },
    env: { ...NO_ROLES, LAMPLIGHTER_APPROVE: 'prod-approved-*' },
  });
  await answerTo(sandbox, 'admin', `${GRANT} admin @${WHO}`);
  await setWhatStands(sandbox);
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const answered = async (): Promise<void> => {
    while ((await redis.zcard(requestKeys.open)) > 0) await wait(POLL_EVERY_MS);
    await sandbox.reported();
  };
  const open = await askForOffers(sandbox, answered);
  const calls = (): readonly string[] =>
    sandbox.hosting.calls
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  const before = calls().length;
  return {
    sandbox,
    offers: harvest(sandbox, WHO, open),
    kept: () => keptIn(redis),
    changes: () => calls().slice(before),
    read: () => readableIn(sandbox),
    answered,
  };
}

/** What is called `secret` gets another name: who reads that has learned what they could not know before, when they were an admin. */
export function hide({ sandbox }: Stage): void {
  for (const id of SECRET_IDS) sandbox.hosting.renameInstance(id, `prod-hidden-${id}`);
}

/** What an admin and others have set or asked for, and what waits for somebody. */
async function setWhatStands(sandbox: Sandbox): Promise<void> {
  const { slack } = sandbox;
  const admin = slack.person('admin');
  const publicly = (words: string): Promise<PostedMessage> =>
    slack.until(() => botMessages(sandbox).find((one) => slack.read(one).includes(words)));
  await answerTo(sandbox, 'admin', `${GRANT} operator @bob on prod-*`);
  await answerTo(sandbox, 'admin', `${GRANT} finance @fin`);
  await admin.types('#ops', '/billing alerts here');
  await publicly('The balance is');
  await answerTo(sandbox, 'admin', '/instances save nightly = name:prod-*');
  await answerTo(sandbox, 'admin', '/instances watch name:prod-*');
  await answerTo(sandbox, 'admin', '/lamplighter freeze on frozen-* "theirs"');
  await answerTo(sandbox, 'admin', '/instances schedule name:prod-* stop at 20:00 daily UTC');
  await admin.presses(await privateMessage(sandbox, 'admin', 'Save this schedule'), 'Save');
  await publicly('scheduled:');
  await answerTo(sandbox, 'bob', '/instances restart prod-approved-secret-5');
  await publicly('asks to restart');
  const modal = await opensModal(sandbox, 'admin', '/instances delete prod-secret-4');
  await admin.submits(modal, { typed: 'prod-secret-4' });
  await publicly('[ Cancel ]');
  await admin.presses(
    await answeredWith(sandbox, 'admin', '/instances restart prod-broken-secret-6 prod-secret-7'),
    'Restart 2',
  );
  await publicly('[ Retry failed ]');
  await slack.person('fin').types('#ops', '/instances restart prod-2');
  await slack
    .person('fin')
    .presses(await privateMessage(sandbox, 'fin', 'Restart prod-2: You need'), 'Ask them');
  await dmWith(sandbox, WHO, 'asks to restart prod-2');
}

/** Lines whose answers can be pressed or picked from, about what is called by a name that may be known. */
const ASKED = [
  '/instances',
  '/instances show prod-2',
  '/instances act',
  '/instances restart prod-2 --dry-run',
  '/instances stop',
  '/instances stop prod-secret-7 staging-1',
  '/instances stop prod-2 staging-1',
  '/instances history prod-2',
  '/instances schedule prod-2 stop at 20:00 daily UTC',
  '/instances schedules',
  '/instances watches',
  '/instances favorites',
  '/addons prod-2',
  '/addons add llm prod-2',
  '/billing',
  '/billing transactions',
  '/billing alerts',
  '/billing buy-time',
  '/billing what-if stop prod-2, delete prod-secret-7',
  '/lamplighter operations',
  '/lamplighter audit',
  '/lamplighter access',
  '/lamplighter can delete prod-2',
];

/** @ana and the admin ask for all that there is, and @ana has had modals open. */
async function askForOffers(sandbox: Sandbox, answered: Stage['answered']): Promise<readonly View[]> {
  const { slack } = sandbox;
  for (const who of [WHO, 'admin'])
    for (const line of ASKED) {
      const interaction = await slack.person(who).types('#ops', line);
      await slack.until(() => interaction.ephemeral[0]);
    }
  for (const who of [WHO, 'admin']) {
    await slack.person(who).opensHome();
    await slack.until(() => slack.person(who).home);
  }
  const ana = slack.person(WHO);
  const opened = async (open: () => Promise<unknown>): Promise<View> => {
    const before = ana.views.at(-1);
    await open();
    return slack.until(() => ana.views.at(-1) !== before && ana.views.at(-1));
  };
  const last = (label: string): PostedMessage =>
    slack
      .channel('#ops')
      .ephemeralFor(WHO)
      .findLast((one) => canPress(one.blocks, label))!;
  const modals = [
    await opensModal(sandbox, WHO, '/instances delete prod-2'),
    await opened(() => ana.presses(last('Pause until…'), 'Pause until…')),
    await opened(() => ana.usesShortcut('instances.find')),
  ];
  await answered();
  return modals;
}

/** What goes on by itself in the records of what people set. */
const MOVES = new Set(['nextPollAt', 'base', 'cards', 'count', 'next', 'revision']);
const SET = /^(access|favorites|digest|exports|watch-places)$|^(watch|schedule|approval|batch|operation):/;

async function keptIn(redis: Redis): Promise<string> {
  const keys = (await redis.keys(key('*'))).filter((one) => SET.test(one.slice(key('').length))).toSorted();
  const records = await Promise.all(keys.map((one) => redis.hget(one, 'record')));
  return JSON.stringify(
    records.map((record, index) => [keys[index], favoritesOfOthers(JSON.parse(record ?? 'null'))]),
    (name, value: unknown) => (MOVES.has(name) ? undefined : value),
    1,
  );
}

const favoritesSchema = z.looseObject({ favorites: z.array(z.looseObject({ savedBy: z.string() })) });

/** Whoever may see instances may give filters a name, which is theirs. */
function favoritesOfOthers(record: unknown): unknown {
  const { data } = favoritesSchema.safeParse(record);
  return data ? data.favorites.filter(({ savedBy }) => savedBy !== WHO_ID) : record;
}

function readableIn({ slack }: Sandbox): ReadonlyMap<string, string> {
  const ana = slack.person(WHO);
  const channels = ['#ops', '#random'].map((one) => slack.channel(one));
  const messages = [
    ...channels.flatMap((one) => one.history.filter(({ ephemeralFor }) => ephemeralFor === ana.id)),
    ...channels.flatMap((one) => one.messages.filter(({ bot_id: bot }) => bot !== undefined)),
    ...ana.dms,
  ];
  const views = [...ana.views, ...(ana.home ? [ana.home] : [])];
  return new Map([
    ...messages.map((one) => [`${one.ts} ${one.edits.length}`, slack.read(one)] as const),
    ...messages.flatMap(({ files }) => files.map(({ id, bytes }) => [id, bytes.toString()] as const)),
    ...views.map((one) => [`${one.id} ${one.revision}`, slack.readView(one)] as const),
  ]);
}
