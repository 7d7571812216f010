import { z } from 'zod';
import { routeTool } from '../../core/agents/tool.ts';
import { attemptsOf } from '../../core/audit/attempts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { AuditReader, Recorded } from '../../core/audit/audit-reader.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import { findOrLast } from '../../core/lookup/find-or-last.ts';
import { resolveLoosely } from '../../core/lookup/resolve.ts';
import { amongTheirs, asSeen, type Sight, sightOf } from '../../core/lookup/sight.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import type { Operations } from '../../core/operations/operations.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Target } from '../../core/policy/pattern.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { People } from '../../platform/slack/people.ts';
import { plain, say, time } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { historyMessage } from './messages.ts';
import type { Saying } from '../../core/sentences/spoken.ts';
import { type SaidPeriod, takePeriods } from './said-period.ts';

export interface HistoryDeps {
  readonly auditReader: AuditReader;
  readonly hosting: HostingService;
  readonly access: Access;
  readonly operations: Pick<Operations, 'find' | 'linkTo'>;
  readonly people: Pick<People, 'zone'>;
  readonly clock: Pick<RedisClock, 'now'>;
}

const VERB = { verb: 'see the history of', routeId: 'instances.history' };
/** An attempt has two entries. */
const MAX_READ = 1_000;
const LAST_MS = 30 * DAY_MS;
/** What one did last is suggested for so long. */
const SUGGESTED_MS = 7 * DAY_MS;
const PER_PAGE = 15;
/** All that the service is needed for is which instance is meant: so long it is waited for. */
const NAMED_WITHIN_MS = 2_000;

/** `/instances history web-1 [yesterday]`: what was done with one instance, by whom, how long it took and how it ended, with links to the cards. */
export function historyRoute(deps: HistoryDeps): Route {
  const { access } = deps;
  return {
    id: VERB.routeId,
    verb: 'history',
    spoken: {
      example: ['who restarted web-1', 'what was done with it, and by whom'],
      asks: [
        'did (i|we|they|anyone|anybody|someone|somebody) * <do> <x>',
        'who * (removed|added|installed|detached|attached|changed|touched|broke|moved) * <x>',
        '<x> (past|history|log)',
        '(past|last|recent|previous) (restarts|stops|starts|reboots|changes) (of|to|on) <x>',
        '(cancel|forget|abort|skip) * <do> of <x>',
        '(who|when|why|how often|how many times|did|didnt|has|have|was|were|already) * <done> <x>',
        '(who|when|why|how often|did|has|was|were|is) * <x> * <done>',
        '(who|when|why|how often|how many times|did|has|was|were) * <done> * <x>',
        '(history|log|past|changes) (of|for|on)? <x>',
        'who * (made|created|built|set up) <x>',
        'why * fail',
        'who is (on|handling|working on|looking at|looking into|taking) <that>',
        'who did <that>',
        'what did * do (to|with) <x>',
        '(did|have) you * <do> <x>',
        'i already <done> <x>',
        '(we|they) had to <do> <x>',
        'cancel * (restart|stop|start) of <x>',
      ].map((saying): Saying => [saying, '{x} [{said}]']),
    },
    permission: 'instances:read',
    writes: false,
    namesInstances: true,
    usage: '<name or id>',
    summary: 'what was done with one instance, by whom, and how it ended',
    suggests: async ({ actor, place, askedAt }) => {
      const isTheirs = ({ what, by, target }: Entry): boolean =>
        what === 'asked' && by === actor.userId && target !== undefined;
      const [last] = await deps.auditReader.read(isTheirs, { limit: 1, since: askedAt - SUGGESTED_MS });
      const target = last?.entry.target;
      if (!target || !(await access.which(actor, 'instances:read', place.channelId))(target))
        return undefined;
      return { title: `What was done with ${plain(target.name, 40)}?`, message: `history ${target.id}` };
    },
    choices: (words, mayPick) => choicesOf(deps.hosting, words, mayPick),
    tool: routeTool({
      name: 'get_history',
      title: 'Get the history of an instance',
      description: 'Gives what was done with one instance in the last 30 days, by whom, and how it ended.',
      input: z.object({ instance: z.string().min(1).max(200).describe('Its id, or its exact name') }),
      words: ({ instance }) => [instance],
    }),
    handle: async (asked) => {
      const { ask, said } = await periodIn(deps, asked);
      const sight = await sightOf(access, ask.actor, ask.place.channelId);
      const finding = ask.value === undefined ? typed(deps, ask, sight) : turned(deps, ask.value, sight);
      const { target, from, listed, turnedTo } = await amongTheirs(
        access,
        sight,
        'instances:read',
        nameIn(ask),
        finding,
      );
      const message = await pageOf(deps, target, { from, period: said ?? turnedTo, sight });
      return { ...message, ...(listed && answerAbout(VERB.routeId, [listed])) };
    },
  };
}

/**
 * What was done with one instance, from the attempt `from` on, counted from the newest, as a page with its neighbors. It may have had
 * names by which it isn't theirs to see, so each entry is looked at.
 */
async function pageOf(
  deps: HistoryDeps,
  target: Target,
  {
    from,
    period,
    sight,
  }: { readonly from: number; readonly period: SaidPeriod | undefined; readonly sight: Sight },
): Promise<Message> {
  const isTheirs = (one: Target): boolean => one.id === target.id && sight.maySee(one);
  const recorded = await readOf(deps, isTheirs, { since: period?.since });
  const attempts = attemptsOf(recorded.map(({ entry }) => entry)).filter(
    ({ entry: { at } }) => !period || (at >= period.since && at <= period.until),
  );
  const page = attempts.slice(from, from + PER_PAGE);
  const links = await Promise.all(
    page.map(async ({ entry }) => {
      const operation = await deps.operations.find(entry.requestId);
      return operation ? deps.operations.linkTo(operation) : say``;
    }),
  );
  const pageAt = (first: number): Button => ({
    label: first < from ? 'Newer' : 'Older',
    routeId: VERB.routeId,
    value: [first, period?.since ?? '', period?.until ?? '', target.id].join(' '),
  });
  return historyMessage(nameOf(target), page, links, {
    from,
    total: attempts.length,
    when: period?.when ?? say`in the last 30 days`,
    buttons: [
      ...(from > 0 ? [pageAt(Math.max(0, from - PER_PAGE))] : []),
      ...(from + PER_PAGE < attempts.length ? [pageAt(from + PER_PAGE)] : []),
    ],
  });
}

/** What was asked of instances lately, and how it ended; newest first. */
async function readOf(
  { auditReader, clock }: HistoryDeps,
  isMeant: (target: Target) => boolean,
  { limit = MAX_READ, since = clock.now() - LAST_MS }: { limit?: number; since?: number | undefined } = {},
): Promise<readonly Recorded[]> {
  return auditReader.read(
    ({ what, target }) => target !== undefined && (what === 'asked' || what === 'ended') && isMeant(target),
    { limit, since },
  );
}

/** Whose history is asked for, and where its page begins. `listed`: the same where it is in the list of instances. */
interface Sought {
  readonly target: Target;
  readonly from: number;
  readonly listed?: Instance;
  /** The time that the page before it was of. */
  readonly turnedTo?: SaidPeriod | undefined;
}

/** The time that is said after a name, by the clock of who asks, and the same without it. */
async function periodIn(
  deps: HistoryDeps,
  ask: Ask,
): Promise<{ readonly ask: Ask; readonly said?: SaidPeriod | undefined }> {
  const { periods, rest } = takePeriods(ask.words, await momentOf(deps, ask.actor.userId, deps.clock.now()));
  // Without a name, it may be one.
  return rest.length === 0 ? { ask } : { ask: { ...ask, words: [...rest] }, said: periods[0] };
}

/**
 * The instance that words mean; one that is gone, or that the hosting service can't be asked for, by its exact name or id as it
 * was. Throws a Refusal, or HostingError.
 */
async function typed(deps: HistoryDeps, ask: Ask, sight: Sight): Promise<Sought> {
  const name = nameIn(ask);
  try {
    const { found } = await findOrLast(
      deps.hosting,
      (instances) => resolveLoosely(asSeen(instances, sight), VERB, name),
      NAMED_WITHIN_MS,
    );
    return { target: found, from: 0, listed: found };
  } catch (error) {
    const isUnknown =
      error instanceof Refusal ? error.code === 'no-such-instance' : error instanceof HostingError;
    if (!isUnknown) throw error;
    const [past] = await readOf(deps, (target) => isCalled(target, name) && sight.maySee(target), {
      limit: 1,
    });
    if (!past?.entry.target) throw error;
    return { target: past.entry.target, from: 0 };
  }
}

/** What was picked, else what was typed. */
function nameIn({ picked, words }: Ask): string {
  return picked ?? words.join(' ');
}

function isCalled(target: Target, name: string): boolean {
  return target.id === name || target.name === name;
}

/** What a button that turns the page has: the id may be made of anything. Before 1.2 it stood first, and had no slash. */
const TURNED = /^(?<from>\d{1,6}) (?<since>\d{0,14}) (?<until>\d{0,14}) (?<id>.+)$/s;
const TURNED_BEFORE = /^(?<id>[^/]+)\/(?<from>\d{1,6})(?:\/(?<since>\d{1,14})\/(?<until>\d{1,14}))?$/;

/** The instance and the page of a button. Throws a Refusal where nothing is known of it. */
async function turned(deps: HistoryDeps, value: string, { maySee }: Sight): Promise<Sought> {
  const { id, from, since, until } = (TURNED.exec(value) ?? TURNED_BEFORE.exec(value))?.groups ?? {};
  const [past] = await readOf(deps, (target) => target.id === id && maySee(target), {
    limit: 1,
    since: since ? Number(since) : undefined,
  });
  const target = past?.entry.target;
  if (!target) throw new Refusal('gone', say`I made no changes to that instance in the last 30 days.`);
  if (!since) return { target, from: Number(from) };
  const [first, last] = [Number(since), Number(until)];
  const turnedTo = { since: first, until: last, when: say`between ${time(first)} and ${time(last)}` };
  return { target, from: Number(from), turnedTo };
}
