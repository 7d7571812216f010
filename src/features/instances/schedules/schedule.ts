import type { Saying, Spoken } from '../../../core/sentences/phrasebook.ts';
import {
  type Power,
  POWERS,
  type HostingService,
  type Instance,
  type InstanceList,
} from '../../../platform/hosting/service.ts';
import { byReason } from '../../../core/changes/examine.ts';
import { resolveAsked } from '../../../core/changes/preview-several.ts';
import { choicesOf } from '../../../core/lookup/choices.ts';
import { findExactly } from '../../../core/lookup/find.ts';
import { expandFavorite } from '../../../core/lookup/matching.ts';
import { isFilter } from '../../../core/instances/filter.ts';
import { nameOf } from '../../../core/instances/messages.ts';
import { sightOf } from '../../../core/lookup/sight.ts';
import { subjectOf } from '../../../core/operations/begin.ts';
import { approvalOf } from '../../../core/policy/pattern.ts';
import { Refusal, unlessAway } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { toAsker } from '../../../core/offers/confirmation.ts';
import { DRAFTS, type Schedule } from '../../../core/schedules/schedule-record.ts';
import { withHolidays } from '../../../core/schedules/holidays.ts';
import { nextRuns } from '../../../core/schedules/next-runs.ts';
import { MAX_DAYS_AHEAD, type When } from '../../../core/schedules/when.ts';
import { type Phrase, person, say } from '../../../platform/slack/phrase.ts';
import { SCHEDULE_ROUTES, targetWords, whenWords } from '../../../core/schedules/messages.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { findZone, offsetAt } from '../../../platform/time/zoned-time.ts';
import type { Bot } from '../../../core/bot/bot.ts';
import { listSchedules, seenBy } from './list.ts';
import { draftMessage } from './messages.ts';
import { findTargets } from '../../../core/schedules/find-targets.ts';
import type { Holidays } from '../../../core/policy/sections.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { endingAt, takeEnd } from './parse-end.ts';
import { takeExceptions, withoutDays, takeKeeping, keepingStopped } from './parse-exceptions.ts';
import { parseSchedule, type ScheduleWords } from './parse-schedule.ts';

/** Where nobody knows the asker's own. */
const DEFAULT_ZONE = 'UTC';
const SHOWN_RUNS = 5;

/** How people ask for one power action at a time, whatever they call it. */
const atTimes = (power: Power): readonly Saying[] => [
  [`<${power}> <x> <when>`, `{xs} ${power} {when}`],
  [`<when> <${power}> <x>`, `{xs} ${power} {when}`],
  [
    `<x> (should|must|needs to|need to|has to|have to) (be)? (<${power}>|<${power}ed>) <when>`,
    `{xs} ${power} {when}`,
  ],
  [`schedule <x> (to|for)? <${power}> <when>`, `{xs} ${power} {when}`],
];

const SPOKEN: Spoken = {
  example: ['stop staging every weekday at 8pm', 'a schedule'],
  orders: [
    ['<x> off <when>', '{xs} stop {when}'],
    ['<x> on <when>', '{xs} start {when}'],
    ['keep <x> (on|up|running) <when>', '{xs} {hours}'],
    ['keep <x> (off|stopped|down) (outside|outside of|except) <when>', '{xs} {hours} and keep it stopped'],
    ...POWERS.flatMap(atTimes),
    ['(turn|switch|power|shut) <x> (off|down) <when>', '{xs} stop {when}'],
    ['take <x> down <when>', '{xs} stop {when}'],
    ['(turn|switch|power) <x> on <when>', '{xs} start {when}'],
    ['(wake|bring|start) <x> (up|back|back up) <when>', '{xs} start {when}'],
    ['(run|keep|have) <x> (on|up|running)? only? <when>', '{xs} {hours}'],
    ['<x> (runs|should run|only runs|should only run|must run) only? <when>', '{xs} {hours}'],
  ],
};

/** `/instances schedule name:staging-* stop at 20:00 mon-fri Europe/Berlin`: shows what would be saved, and asks. */
export function scheduleRoute(deps: Bot): Route {
  return {
    id: SCHEDULE_ROUTES.set,
    verb: 'schedule',
    spoken: SPOKEN,
    topics: [
      {
        words: ['times', 'days', 'hours', 'once'],
        usage: 'web-1 hours 08:00-20:00 mon-fri Europe/Berlin',
        summary:
          'times: stop at 20:00, stop 8pm weekdays, stop tonight, start at 08:00, restart at 04:00, hours 08:00-20:00 for both, stop once at 2026-12-24 18:00; days: mon-fri, sat,sun, daily; without a time zone, your own; at the end, days that are left out: except 2026-12-24, 31 Dec to 1 Jan, or holidays of the policy file by their name: except berlin; with hours, what somebody starts in between is stopped again: and keep it stopped; with an end: until 2026-12-24, or hours 08:00-20:00 for 7d',
      },
    ],
    permission: 'instances:read',
    writePermission: 'instances:power',
    writes: (words) => words.length > 0,
    namesInstances: true,
    usage: '[<names, filters or a favorite> stop at 20:00 mon-fri Europe/Berlin]',
    summary:
      'see what is scheduled; with words, which an operator can say, start, stop or restart instances at certain times',
    isAskable: false,
    outlastsOnce: true,
    choices: (typed, mayPick) => choicesOf(deps.hosting, typed, mayPick),
    handle: async ({ picked, ...typed }, audit) => {
      const ask = picked === undefined ? typed : { ...typed, words: [picked, ...typed.words] };
      if (ask.words.length === 0) return listSchedules(deps, ask);
      const { clock } = deps;
      const { zone, zoneRemark } = await zoneOf(deps, ask);
      const moment = { at: clock.now(), zone };
      const { target: words, when } = readSchedule(ask.words, moment, deps.holidays());
      const runs = runsOf(withHolidays(when, deps.holidays()), clock.now());
      const { instances, remarks } = await findNamed(deps, ask, words);
      const sight = await sightOf(deps.access, ask.actor, ask.place.channelId);
      // What a favorite stands for now: the person who saved it can't change what runs later.
      const { words: meant } = await expandFavorite(deps.favorites, words, sight.mayKnow, () =>
        Promise.resolve(instances),
      );
      const leftOut = await refuseUnlessAllowed(deps, ask, when, instances);
      const draft = {
        ...toAsker(ask, deps),
        channelId: ask.place.channelId,
        target: meant.every(isFilter) ? { filters: [...meant] } : { instances: instances.map(subjectOf) },
        when,
      };
      audit({ what: 'shown' });
      const isOwnZone = zoneRemark !== undefined && when.zone === zone && !ask.words.some(findZone);
      return draftMessage(draft, await deps.offers.make(DRAFTS, draft), {
        instances,
        leftOut,
        runs,
        remarks: [...remarks, ...(await overlapLines(deps, ask, instances))],
        zoneRemark: isOwnZone ? zoneRemark : offsetRemark(when.zone, runs[0]?.at ?? clock.now()),
      }) satisfies Reply;
    },
  };
}

/** The zone of a time without one: that of the asker's clock, as Slack knows it. */
async function zoneOf({ people }: Bot, { actor }: Ask): Promise<{ zone: string; zoneRemark: Phrase }> {
  const typed = await people.zone(actor.userId).catch(() => undefined);
  const zone = typed === undefined ? undefined : findZone(typed);
  return zone === undefined
    ? {
        zone: DEFAULT_ZONE,
        zoneRemark: say`Slack didn't say your time zone, so this is in ${DEFAULT_ZONE}.`,
      }
    : { zone, zoneRemark: say`${zone} is your own time zone in Slack.` };
}

/** What a zone means that somebody named: Etc/GMT+2 is two hours behind. */
function offsetRemark(zone: string, at: number): Phrase | undefined {
  return zone === 'UTC' ? undefined : say`${zone} is ${offsetAt(at, zone)} then.`;
}

function runsOf(when: When, now: number): ReturnType<typeof nextRuns> {
  const runs = nextRuns(when, now, SHOWN_RUNS);
  const [first] = runs;
  if (!first) throw new Refusal('bad-schedule', say`That time has passed, so there is nothing to schedule.`);
  if (first.at > now + MAX_DAYS_AHEAD * DAY_MS)
    throw new Refusal(
      'bad-schedule',
      when.kind === 'weekly'
        ? say`That leaves out every run of the next ${MAX_DAYS_AHEAD} days, so there is nothing to schedule.`
        : say`That is more than ${MAX_DAYS_AHEAD} days ahead, which is the furthest I schedule.`,
    );
  return runs;
}

/** The instances that the words mean now. Throws a Refusal where a name means none, or not one alone. */
async function findNamed(
  deps: Bot,
  ask: Ask,
  words: readonly string[],
): Promise<{ readonly instances: readonly Instance[]; readonly remarks: readonly Phrase[] }> {
  const found = await resolveAsked(deps, ask, { words: [...words] });
  if (found) return found;
  const maySee = await deps.access.which(ask.actor, 'instances:read', ask.place.channelId);
  const { instances } = await deps.hosting.listInstances({ freshMs: 0 });
  const one = findExactly(words.join(' '), instances.filter(maySee));
  if (one.found === 'one') return { instances: [one.instance], remarks: [] };
  throw new Refusal('several', {
    lines: [
      say`More than one instance may be meant by "${words.join(' ')}", so nothing was saved. Give me its id.`,
    ],
    bullets: (one.found === 'several' ? one.instances : []).map(nameOf),
  });
}

/** Those that every run leaves out as things stand, by the reason. Throws a Refusal where the asker may not change one. */
async function refuseUnlessAllowed(
  { access, approvalRules, isProtected }: Bot,
  { id, actor, route, place: { channelId } }: Ask,
  when: When,
  instances: readonly Instance[],
): Promise<ReturnType<typeof byReason>> {
  const decide = await access.decisions(actor, 'instances:power', { channelId, route });
  const forbidden = instances.filter((one) => !decide(one).allowed);
  const [first] = forbidden;
  if (first && forbidden.length === instances.length)
    await access.require(actor, 'instances:power', first, { channelId, operationId: id });
  const verbs = when.kind === 'once' ? [when.verb] : when.rules.map(({ verb }) => verb);
  const whyLeftOut = (one: Instance): Phrase | undefined => {
    if (forbidden.includes(one)) return say`is not yours to change`;
    if (verbs.some((verb) => approvalOf(approvalRules(), verb, one))) return say`needs an approval each time`;
    return verbs.some((verb) => verb !== 'start') && isProtected(one) ? say`is protected` : undefined;
  };
  return byReason(
    instances.flatMap((one) => {
      const why = whyLeftOut(one);
      return why ? [{ id: one.id, name: one.name, why: [...why] }] : [];
    }),
  );
}

/** All that the words after `schedule` mean, however they came. `holidays`: the lists that there are. Throws a Refusal with one sentence. */
export function readSchedule(typed: readonly string[], moment: Moment, holidays: Holidays): ScheduleWords {
  const { words: left, until } = takeEnd(typed, moment);
  const { words, keeps } = takeKeeping(left);
  const parts = takeExceptions(words);
  const { target, when: always } = parseSchedule(parts.words, moment);
  const open = withoutDays(always, parts, moment.at, holidays);
  const when = until === undefined ? open : endingAt(open, until, { now: moment.at, holidays });
  return { target, when: keeps ? keepingStopped(when) : when };
}

/** More of them say no more than that there are many. */
const MAX_NAMED = 3;

/** The other schedules that are about some of these instances now, a line each, before one more is saved. */
async function overlapLines(deps: Bot, ask: Ask, instances: readonly Instance[]): Promise<readonly Phrase[]> {
  const ids = new Set(instances.map(({ id }) => id));
  const others = (await seenBy(deps, ask, await deps.schedules.list())).filter(({ next }) => next);
  const hosting = listedOnce(deps.hosting);
  const isAbout = async (one: Schedule): Promise<boolean> => {
    if ('instances' in one.target) return one.target.instances.some(({ id }) => ids.has(id));
    // What its filters can't find now overlaps with nothing.
    const found = await unlessAway(findTargets({ ...deps, hosting }, one, deps.clock.now()), undefined);
    return found?.instances.some(({ id }) => ids.has(id)) ?? false;
  };
  const about = await Promise.all(others.map(isAbout));
  const those = others.filter((_, at) => about[at]);
  const which = ids.size === 1 ? 'It is' : 'Some of them are';
  const rest = those.length - MAX_NAMED;
  return [
    ...those
      .slice(0, MAX_NAMED)
      .map(
        ({ when, target, owner }) =>
          say`⚠️ ${which} in the schedule of ${person(owner.userId)} as well: ${whenWords(when)}, for ${targetWords(target)}.`,
      ),
    ...(rest > 0 ? [say`⚠️ And in ${rest} more.`] : []),
  ];
}

/** The service, whose list is read once however many filters are looked at. */
function listedOnce(hosting: HostingService): HostingService {
  let list: Promise<InstanceList> | undefined;
  return { ...hosting, listInstances: (options) => (list ??= hosting.listInstances(options)) };
}
