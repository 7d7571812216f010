import { lostLists, ranOutLists } from '../../core/schedules/holidays.ts';
import type { Schedule } from '../../core/schedules/schedule-record.ts';
import type { Schedules } from '../../core/schedules/schedules.ts';
import { say } from '../../platform/slack/phrase.ts';
import { type Finding, warn } from './finding.ts';
import type { PartCheck } from './run-checks.ts';

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
