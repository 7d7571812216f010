import { listOldestDue } from '../../core/watchdogs/oldest-due.ts';
import type { StateOwner } from '../../core/deployment/owner.ts';
import type { Spent } from '../../platform/hosting/budget.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { asError } from '../../platform/log/as-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { redisNo } from '../../platform/redis/faults.ts';
import type { RedisAt } from '../../platform/redis/address.ts';
import { readRedisFacts, type Risk } from '../../platform/redis/fitness.ts';
import type { Examiner } from '../../platform/slack/examiner.ts';
import { say } from '../../platform/slack/phrase.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { namedChecks } from './check-named.ts';
import { type Finding, fault, warn } from './finding.ts';
import { type Doubt, judgeDoubts, judgeLeavers, type Leaver, type Named } from './judge-named.ts';
import { judgeKey, judgeOwner, judgeQueue, judgeSpent, judgeStorage } from './judge-services.ts';
import { judgeBlocks, judgeChannel, judgeToken, type Place, placeWords } from './judge-slack.ts';
import {
  type BillingFacts,
  judgeAlerts,
  judgeHostClock,
  judgeLooks,
  judgeSlackClock,
} from './judge-times.ts';
import { judgeVersion, type VersionFacts } from './judge-version.ts';
import { newestBlocks } from './newest-blocks.ts';
import { type Check, runChecks } from './run-checks.ts';

/** Looks at everything that the bot depends on, and changes nothing. Never throws. */
export type Examine = () => Promise<readonly Finding[]>;

export interface ExamineDeps {
  readonly examiner: Examiner;
  readonly hosting: Pick<HostingService, 'checkKey' | 'listInstances'>;
  /** What the configuration alone shows to be hardly meant. */
  readonly doubts: () => { readonly ofBot: readonly Doubt[]; readonly ofAccount: readonly Doubt[] };
  /** What the configuration names that may not be there. */
  readonly named: () => Named;
  /** Who has left and holds something still; undefined where the bot doesn't run. */
  readonly findLeavers?: (() => Promise<readonly Leaver[]>) | undefined;
  readonly spent: () => Promise<Spent>;
  readonly owner: Pick<StateOwner, 'look'>;
  readonly redis: RedisConnection;
  readonly redisAt: RedisAt;
  readonly allowed: readonly Risk[];
  readonly billing: () => Promise<BillingFacts>;
  /** The channels that the configuration names, for when the rest can't be read. */
  readonly configuredChannels: readonly string[];
  readonly version: () => VersionFacts;
  /** For how long the bot has run, in ms; undefined where it doesn't. */
  readonly upMs: () => number | undefined;
  /** What the connection to Redis complained of last, where somebody keeps that. */
  readonly redisFault?: () => Error | undefined;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
  readonly timings: { readonly billingCheckEveryMs: number };
  readonly log: Pick<Log, 'error'>;
  /** What alone is looked at; everything without it. */
  readonly part?: Part;
}

/** Whose something is: the whole bot's, one hosting account\'s, or what the configuration of an account names. */
export type Part = 'bot' | 'account' | 'named';

interface PartCheck extends Check {
  readonly of: Part;
}

/** As many channels are looked at: Slack takes some fifty such questions a minute. */
const MAX_PLACES = 20;
/** How long one check may take before that itself is what it found. */
const CHECK_WITHIN_MS = 5_000;
/** Where channels are named is read first, and waited for shortly. */
const PLACES_WITHIN_MS = 1_500;

export function createExamine(deps: ExamineDeps): Examine {
  const { configuredChannels, log, part } = deps;
  return async () => {
    const billing =
      part === 'bot' || part === 'named' ? undefined : await atMost(PLACES_WITHIN_MS, deps.billing());
    const places =
      billing?.places ??
      configuredChannels.map((channelId): Place => ({ channelId, uses: ['figures'], from: 'configuration' }));
    const checks = [
      ...slackChecks(deps, places),
      ...(billing ? [] : [placesUnread]),
      ...hostingChecks(deps),
      ...redisChecks(deps),
      ...configChecks(deps),
    ];
    const asked = checks.filter(
      ({ of }) => part === undefined || of === part || (of === 'named' && part === 'account'),
    );
    return runChecks(asked, CHECK_WITHIN_MS, (error) => log.error({ error }, 'examining the bot'));
  };
}

function slackChecks({ examiner }: ExamineDeps, places: readonly Place[]): readonly PartCheck[] {
  const left = places.length - MAX_PLACES;
  return [
    {
      of: 'bot',
      about: say`Slack's token`,
      unread: 'fault',
      look: async () => judgeToken(await examiner.token()),
    },
    ...places.slice(0, MAX_PLACES).map((place): PartCheck => ({
      of: place.from === 'configuration' ? 'named' : 'account',
      about: placeWords(place),
      unread: 'warn',
      look: async () => judgeChannel(place, await examiner.channel(place.channelId)),
    })),
    ...(left > 0 ? [tooManyPlaces(left)] : []),
    {
      of: 'bot',
      about: say`What Slack makes of the newest blocks`,
      unread: 'warn',
      look: async () =>
        judgeBlocks(
          await Promise.all(
            newestBlocks().map(async (block) => ({
              type: block.type,
              faults: await examiner.faultsOf([block]),
            })),
          ),
        ),
    },
  ];
}

function configChecks(deps: ExamineDeps): readonly PartCheck[] {
  const { ofBot, ofAccount } = deps.doubts();
  const { findLeavers } = deps;
  const doubted = (of: Part, doubts: readonly Doubt[]): PartCheck => ({
    of,
    about: say`The configuration`,
    unread: 'warn',
    look: async () => judgeDoubts(doubts),
  });
  return [
    doubted('bot', ofBot),
    doubted('account', ofAccount),
    ...(findLeavers ? [leaversCheck(findLeavers)] : []),
    ...namedChecks({ ...deps, named: deps.named() }).map((check): PartCheck => ({ of: 'named', ...check })),
  ];
}

function leaversCheck(findLeavers: NonNullable<ExamineDeps['findLeavers']>): PartCheck {
  return {
    of: 'account',
    about: say`Whether people who have access here are still in Slack`,
    unread: 'warn',
    look: async () => judgeLeavers(await findLeavers()),
  };
}

const placesUnread: PartCheck = {
  of: 'account',
  about: say`The channels that were named in Slack`,
  unread: 'warn',
  look: async () => [
    warn(
      say`Channels that were named in Slack weren't checked, because I couldn't read which they are.`,
      say`Ask again once Redis answers.`,
    ),
  ],
};

function tooManyPlaces(count: number): PartCheck {
  const what = say`${count} more channels where figures may be shown weren't checked.`;
  const todo = say`Name fewer channels.`;
  return { of: 'account', about: say`More channels`, unread: 'warn', look: async () => [warn(what, todo)] };
}

function hostingChecks({ hosting, spent }: ExamineDeps): readonly PartCheck[] {
  return [
    {
      of: 'account',
      about: say`The hosting service's key`,
      unread: 'fault',
      look: async () => {
        try {
          await hosting.checkKey();
          return judgeKey(undefined);
        } catch (error) {
          if (error instanceof HostingError) return judgeKey(error);
          throw error;
        }
      },
    },
    {
      of: 'account',
      about: say`How many calls the key has left`,
      unread: 'warn',
      look: async () => judgeSpent(await spent()),
    },
  ];
}

function redisChecks(deps: ExamineDeps): readonly PartCheck[] {
  const { redis, redisAt, allowed, examiner, billing, timings, now, upMs, version } = deps;
  return [
    {
      of: 'bot',
      about: say`Redis`,
      unread: 'fault',
      look: async () => {
        try {
          return judgeStorage(await readRedisFacts(redis, redisAt), redisAt, allowed);
        } catch (error) {
          const why = redisNo(faultOfRedis(deps.redisFault?.() ?? error), redisAt.url);
          return [
            fault(
              say`Redis can't be used: ${why}.`,
              say`Fix that first. Without Redis, I can't take any work.`,
            ),
          ];
        }
      },
    },
    {
      of: 'account',
      about: say`Whether the data in Redis belongs to this bot`,
      unread: 'warn',
      look: async () => judgeOwner(await deps.owner.look()),
    },
    {
      of: 'account',
      about: say`What is waiting to be done`,
      unread: 'warn',
      look: async () => judgeQueue(await listOldestDue(redis), now()),
    },
    {
      of: 'bot',
      about: say`This machine's clock`,
      unread: 'warn',
      look: async () => judgeHostClock(await aheadOfRedisMs(redis)),
    },
    {
      of: 'bot',
      about: say`Slack's clock`,
      unread: 'warn',
      look: async () => {
        const [hostAheadMs, slackAheadMs] = await Promise.all([
          aheadOfRedisMs(redis),
          examiner.clockAheadMs(),
        ]);
        return judgeSlackClock(slackAheadMs === undefined ? undefined : -hostAheadMs - slackAheadMs);
      },
    },
    {
      of: 'account',
      about: say`When the balance was last looked at`,
      unread: 'warn',
      look: async () => {
        const facts = await billing();
        const everyMs = timings.billingCheckEveryMs;
        return [...judgeLooks(facts, { now: now(), everyMs, upMs: upMs() }), ...judgeAlerts(facts)];
      },
    },
    { of: 'bot', about: say`The version`, unread: 'warn', look: async () => judgeVersion(version()) },
  ];
}

/** How the library says that a connection isn't there, or that nothing comes over it. */
const SILENCE =
  /^(Stream isn't writeable|Connection is closed|Redis gave no answer in time|Reached the max retries)/;

/** What went wrong with Redis, in plain words where a library has its own. */
function faultOfRedis(error: unknown): Error {
  const said = asError(error);
  return SILENCE.test(said.message) ? new Error('nothing answers') : said;
}

/** How far this host's clock is ahead of Redis', in ms. */
async function aheadOfRedisMs(redis: RedisConnection): Promise<number> {
  const before = Date.now();
  const [seconds, micros] = await redis.time();
  return (before + Date.now()) / 2 - (Number(seconds) * 1_000 + Number(micros) / 1_000);
}
