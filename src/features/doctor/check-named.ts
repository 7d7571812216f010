import { asUnread } from '../../platform/hosting/hosting-error.ts';
import { say } from '../../platform/slack/phrase.ts';
import { type Finding, warn, type Check, type PartCheck } from './finding.ts';
import {
  judgePatterns,
  judgePeople,
  judgeThere,
  type Named,
  type Names,
  type Standing,
} from './judge-named.ts';
import type { Bot } from '../../core/bot/bot.ts';
import { lostLists, ranOutLists } from '../../core/schedules/holidays.ts';
import type { Schedule } from '../../core/schedules/schedule-record.ts';
import type { Schedules } from '../../core/schedules/schedule-store.ts';

/** So many people, and as many groups and channels are looked up: Slack takes some fifty such questions a minute. */
const MOST = 20;
/** Where nobody is left of these, nobody hears what they are to hear. */
const VITAL: readonly string[] = ['LAMPLIGHTER_ADMINS', 'BILLING_ESCALATE_TO'];

/** Looks at whether what the configuration names is there. None where it names nothing. */
export function namedChecks({
  examiner,
  hosting,
  named,
}: Pick<Bot, 'hosting' | 'examiner'> & { readonly named: Named }): readonly Check[] {
  const { patterns, people, groups, channels } = named;
  const hasAny = (lists: readonly Names[]): boolean => lists.some(({ names }) => names.length > 0);
  const checks: (Check & { readonly isAsked: boolean })[] = [
    {
      isAsked: hasAny(patterns),
      about: say`Whether the patterns of the configuration match an instance`,
      unread: 'warn',
      look: async () => {
        const list = await hosting.listInstances().catch(asUnread);
        // Of a list that lacks some nobody can tell, and why there is none is said of the key.
        return list === undefined || list.incomplete ? [] : judgePatterns(patterns, list.instances);
      },
    },
    {
      isAsked: hasAny(people),
      about: say`Whether the people that the configuration names are there`,
      unread: 'warn',
      look: async () => {
        const standings = await lookUp(people, examiner.person);
        return people.flatMap((one) => judgePeople(one, standings, VITAL.includes(one.from)));
      },
    },
    {
      isAsked: hasAny(groups),
      about: say`Whether the user groups that the configuration names are there`,
      unread: 'warn',
      look: () => judgeEach('group', groups, examiner.group),
    },
    {
      isAsked: hasAny(channels),
      about: say`Whether the channels that the configuration names are there`,
      unread: 'warn',
      look: () => judgeEach('channel', channels, async (id) => (await examiner.channel(id)) !== undefined),
    },
  ];
  return checks.filter(({ isAsked }) => isAsked);
}

async function judgeEach(
  what: 'group' | 'channel',
  lists: readonly Names[],
  isThere: (id: string) => Promise<boolean>,
): Promise<readonly Finding[]> {
  const found = await lookUp(lists, isThere);
  const missing = new Set([...found].filter(([, there]) => !there).map(([id]) => id));
  return lists.flatMap((one) => judgeThere(what, one, missing));
}

/** What is known of each name, the first of them. */
async function lookUp<T extends Standing | boolean>(
  lists: readonly Names[],
  ask: (id: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const ids = [...new Set(lists.flatMap(({ names }) => names))].slice(0, MOST);
  return new Map(await Promise.all(ids.map(async (id): Promise<[string, T]> => [id, await ask(id)])));
}

/** Looks at whether the lists of holidays that schedules leave out are in the policy file, with days ahead. */
export function holidaysCheck(schedules: Pick<Schedules, 'list'>, now: () => number): PartCheck {
  return {
    of: 'account',
    about: say`The holidays that schedules leave out`,
    unread: 'warn',
    look: async () => judgeHolidays(await schedules.list(), now()),
  };
}

/** `now`: Unix ms. Pure. */
function judgeHolidays(all: readonly Schedule[], now: number): readonly Finding[] {
  const lost = counted(all.flatMap(({ when }) => lostLists(when)));
  const over = counted(all.flatMap(({ when }) => ranOutLists(when, now)));
  return [
    ...lost.map(([list, count]) =>
      warn(
        say`The policy file has no holidays ${list} any more, which ${schedulesWords(count)} out: ${count === 1 ? 'it runs' : 'they run'} on them.`,
        say`Put holidays ${list} into the policy file, or save anew without them what /instances schedules names.`,
      ),
    ),
    ...over.map(([list, count]) =>
      warn(
        say`The holidays ${list} in the policy file are all over, and ${schedulesWords(count)} them out.`,
        say`Put the next ones into the policy file.`,
      ),
    ),
  ];
}

function schedulesWords(count: number): string {
  return count === 1 ? 'a schedule leaves' : `${count} schedules leave`;
}

/** Each with how often it is there. */
function counted(lists: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(lists)].map((list) => [list, lists.filter((one) => one === list).length] as const);
}
