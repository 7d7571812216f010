import type { Schedules } from '../../core/schedules/schedule-store.ts';
import type { Spent } from '../../platform/hosting/budget.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import { atMost } from '../../platform/time/wait.ts';
import { namedChecks, holidaysCheck } from './check-named.ts';
import { redisChecks, type RedisChecksDeps } from './check-redis.ts';
import {
  type Finding,
  fault,
  ok,
  warn,
  CHECK_WITHIN_MS,
  type Part,
  type PartCheck,
  runChecks,
} from './finding.ts';
import { type Doubt, judgeDoubts, judgeLeavers, type Leaver, type Named } from './judge-named.ts';
import { judgeKey, judgeSpent, type SetAt } from './judge-services.ts';
import { judgeBlocks, judgeChannel, judgeToken, type NamedChannel, placeWords } from './judge-slack.ts';
import { type BillingFacts, judgeAlerts, judgeBeat, judgeLooks, judgeMail } from './judge-times.ts';
import { newestBlocks } from './newest-blocks.ts';
import type { Bot } from '../../core/bot/bot.ts';

/**
 * Looks at everything that the bot depends on, and changes nothing. `rehearsal`: only at what a change goes through from the request to
 * its end, with the channel of its card. Never throws.
 */
export type Examine = (rehearsal?: { readonly cardIn: string | undefined }) => Promise<readonly Finding[]>;

export interface ExamineDeps extends Pick<Bot, 'timings' | 'log' | 'hosting'>, RedisChecksDeps {
  /** What the configuration alone shows to be hardly meant. */
  readonly doubts: () => { readonly ofBot: readonly Doubt[]; readonly ofAccount: readonly Doubt[] };
  /** What the configuration names that may not be there. */
  readonly named: () => Named;
  /** Who has left and holds something still; undefined where the bot doesn't run. */
  readonly findLeavers?: (() => Promise<readonly Leaver[]>) | undefined;
  /** Of which each knows its lists of holidays; undefined where the bot doesn't run. */
  readonly schedules?: Pick<Schedules, 'list'> | undefined;
  /** Where the account's address and key are set. */
  readonly setAt: () => SetAt;
  readonly spent: () => Promise<Spent>;
  readonly billing: () => Promise<BillingFacts>;
  /** The channels that the configuration names, for when the rest can't be read. */
  readonly configuredChannels: readonly string[];
  /** When the monitor outside was reached last, by Redis' clock; undefined where none is set. */
  readonly findLastBeat?: () => Promise<number | undefined>;
  /** Whether the mail server lets the bot in: the code of why not; left out where none is set. */
  readonly tryMail?: () => Promise<string | undefined>;
  readonly version: () => VersionFacts;
  /** For how long the bot has run, in ms; undefined where it doesn't. */
  readonly upMs: () => number | undefined;
  /** What alone is looked at; everything without it. */
  readonly part?: Part;
}

/** As many channels are looked at: Slack takes some fifty such questions a minute. */
const MAX_PLACES = 20;
/** Where channels are named is read first, and waited for shortly. */
const PLACES_WITHIN_MS = 1_500;

export function createExamine(deps: ExamineDeps): Examine {
  const { configuredChannels, log, part } = deps;
  return async (rehearsal) => {
    const billing =
      part === 'bot' || part === 'named' ? undefined : await atMost(PLACES_WITHIN_MS, deps.billing());
    const named =
      billing?.places ??
      configuredChannels.map((channelId): NamedChannel => ({
        channelId,
        uses: ['figures'],
        from: 'configuration',
      }));
    const places = rehearsal ? withCard(named, rehearsal.cardIn) : named;
    const checks = [
      ...slackChecks(deps, places),
      ...(billing ? [] : [placesUnread]),
      ...hostingChecks(deps),
      ...redisChecks(deps),
      ...otherChecks(deps),
      ...configChecks(deps),
    ];
    const asked = checks.filter(({ of, isOnTheWay }) => {
      if (rehearsal) return isOnTheWay;
      return part === undefined || of === part || (of === 'named' && part === 'account');
    });
    return runChecks(asked, CHECK_WITHIN_MS, (error) => log.error({ error }, 'examining the bot'));
  };
}

/** Where a rehearsed change posts: its card, and the alerts. Of a direct message, Slack says nothing. */
function withCard(places: readonly NamedChannel[], cardIn: string | undefined): readonly NamedChannel[] {
  const alerts = places
    .filter(({ uses, channelId }) => uses.includes('alerts') && channelId !== cardIn)
    .map((place): NamedChannel => ({ ...place, uses: ['alerts'] }));
  if (cardIn === undefined || isDirect(cardIn)) return alerts;
  return [{ channelId: cardIn, uses: ['card'], from: 'who asks' }, ...alerts];
}

function slackChecks({ examiner }: ExamineDeps, places: readonly NamedChannel[]): readonly PartCheck[] {
  const left = places.length - MAX_PLACES;
  return [
    {
      of: 'bot',
      isOnTheWay: true,
      about: say`Slack's token`,
      unread: 'fault',
      look: async () => judgeToken(await examiner.token()),
    },
    ...places.slice(0, MAX_PLACES).map((place): PartCheck => ({
      of: place.from === 'configuration' ? 'named' : 'account',
      isOnTheWay: true,
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
  const { findLeavers, schedules, now } = deps;
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
    ...(schedules ? [holidaysCheck(schedules, now)] : []),
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

function hostingChecks({ hosting, spent, setAt }: ExamineDeps): readonly PartCheck[] {
  return [
    {
      of: 'account',
      isOnTheWay: true,
      about: say`The hosting service's key`,
      unread: 'fault',
      look: async () => {
        try {
          await hosting.checkKey();
          return judgeKey(undefined, setAt());
        } catch (error) {
          if (error instanceof HostingError) return judgeKey(error, setAt());
          throw error;
        }
      },
    },
    {
      of: 'account',
      isOnTheWay: true,
      about: say`How many calls the key has left`,
      unread: 'warn',
      look: async () => judgeSpent(await spent()),
    },
  ];
}

function otherChecks({
  billing,
  timings,
  now,
  upMs,
  version,
  findLastBeat,
  tryMail,
}: ExamineDeps): readonly PartCheck[] {
  return [
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
    ...(findLastBeat
      ? [
          {
            of: 'bot',
            about: say`The monitor at HEARTBEAT_URL`,
            unread: 'warn',
            look: async () =>
              judgeBeat(await findLastBeat(), {
                now: now(),
                everyMs: timings.heartbeatEveryMs,
                upMs: upMs(),
              }),
          } satisfies PartCheck,
        ]
      : []),
    ...(tryMail
      ? [
          {
            of: 'account',
            about: say`The mail server at SMTP_URL`,
            unread: 'warn',
            look: async () => judgeMail(await tryMail()),
          } satisfies PartCheck,
        ]
      : []),
    { of: 'bot', about: say`The version`, unread: 'warn', look: async () => judgeVersion(version()) },
  ];
}

/** What runs. */
interface VersionFacts {
  /** Of the bot; undefined where its package.json is not beside it. */
  readonly version: string | undefined;
  /** Of Node, as in `20.18.1`. */
  readonly node: string;
  /** The oldest Node that will do, as in `20.18.1`. */
  readonly leastNode: string | undefined;
}

/** Which version runs, and whether its Node is new enough. Pure. */
export function judgeVersion({ version, node, leastNode }: VersionFacts): readonly Finding[] {
  const me = version === undefined ? say`Lamplighter, of an unknown version,` : say`Lamplighter ${version}`;
  if (leastNode !== undefined && isOlder(node, leastNode))
    return [
      fault(say`${me} runs on Node ${node}, which is too old.`, say`Run it on Node ${leastNode} or newer.`),
    ];
  return [ok(say`${me} runs on Node ${node}.`)];
}

function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [index, part] of (right ?? []).entries()) {
    const difference = (left?.[index] ?? 0) - part;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
