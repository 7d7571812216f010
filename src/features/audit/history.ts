import { z } from 'zod';
import { routeTool } from '../../core/agents/tool.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { type Attempt, readAttempts } from '../../core/audit/attempts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { nameOf } from '../../core/instances/messages.ts';
import type { Route } from '../../core/intake/route.ts';
import { askedPage } from '../../core/lists/asked-page.ts';
import { showList } from '../../core/lists/list.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import { findOrLast } from '../../core/lookup/find-or-last.ts';
import { resolveLoosely } from '../../core/lookup/resolve.ts';
import { amongTheirs, asSeen, type Sight, sightOf } from '../../core/lookup/sight.ts';
import type { PolicyTarget } from '../../core/policy/pattern.ts';
import { Refusal } from '../../core/refusal.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import type { Saying } from '../../core/sentences/phrasebook.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { attemptList } from './messages.ts';
import { type AuditWords, type Options, parseAuditWords, readAuditOptions, wordsOfSame } from './words.ts';
import type { Bot } from '../../core/bot/bot.ts';

const VERB = { verb: 'see the history of', routeId: 'instances.history' };
const OPTIONS: Options = {
  flags: [],
  example: say`--last 7d and --in 2026-10, as in /instances history web-1 --last 7d`,
  lastMs: () => 30 * DAY_MS,
};
/** What one did last is suggested for so long. */
const SUGGESTED_MS = 7 * DAY_MS;
const PER_PAGE = 15;
/** All that the service is needed for is which instance is meant: so long it is waited for. */
const NAMED_WITHIN_MS = 2_000;

/** `/instances history web-1 [yesterday]`: what was done with one instance, by whom, how long it took and how it ended, with links to the cards. */
export function historyRoute(deps: Bot, keepMs: number): Route {
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
      words: ({ instance }) => ['--', instance],
    }),
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/instances history');
      const { name, time } = await namedIn(deps, keepMs, ask, page.words);
      const sight = await sightOf(access, ask.actor, ask.place.channelId);
      const finding = find(deps, name, time, sight);
      const { target, listed } = await amongTheirs(access, sight, 'instances:read', name, finding);
      // It may have had names by which it isn't theirs to see.
      const isTheirs = (one: PolicyTarget): boolean => one.id === target.id && sight.maySee(one);
      const { attempts, isCut } = await readAttempts(deps, time, ({ entry }) => isChangeOf(entry, isTheirs));
      const list = attemptList(attempts, {
        head: say`Changes to ${nameOf(target)} ${time.when}, newest first`,
        besides: attempts.length > 0 ? [] : [say`I made no changes to ${nameOf(target)} ${time.when}.`],
        cards: await cardsOf(deps, attempts.slice(page.from, page.from + PER_PAGE)),
        isCut,
        perPage: PER_PAGE,
        routeId: VERB.routeId,
        words: time.isSaid ? wordsOfSame(time, [target.id]) : ['--', target.id],
      });
      return {
        ...(await showList(deps, ask, page, list)),
        ...(listed && answerAbout(VERB.routeId, [listed])),
      };
    },
  };
}

/** The name that is meant and the time, by the clock of who asks. Throws a Refusal. */
async function namedIn(
  deps: Bot,
  keepMs: number,
  { actor, picked }: Ask,
  words: readonly string[],
): Promise<{ readonly name: string; readonly time: AuditWords }> {
  const moment = { ...(await momentOf(deps, actor.userId, deps.clock.now())), keepMs };
  const asked = parseAuditWords(words, moment, OPTIONS);
  if (asked.rest.length > 0) return { name: picked ?? asked.rest.join(' '), time: asked };
  // Without a name, what reads like a time may be one.
  const { rest } = readAuditOptions(words, OPTIONS);
  const time = rest.length === 0 ? asked : parseAuditWords([], moment, OPTIONS);
  return { name: picked ?? rest.join(' '), time };
}

/** Links to the cards of those attempts that have one. */
async function cardsOf(
  { operations }: Bot,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<Attempt, Phrase>> {
  const links = attempts.map(async (attempt) => {
    const operation = await operations.find(attempt.entry.requestId);
    return [attempt, operation ? operations.linkTo(operation) : say``] as const;
  });
  return new Map(await Promise.all(links));
}

function isChangeOf({ what, target }: Entry, isMeant: (target: PolicyTarget) => boolean): boolean {
  return target !== undefined && (what === 'asked' || what === 'ended') && isMeant(target);
}

/**
 * The instance that words mean, as `listed` too where it is in the list; one that is gone, or that the hosting service can't be asked
 * for, by its exact name or id as it was. Throws a Refusal, or HostingError.
 */
async function find(
  deps: Bot,
  name: string,
  { since }: AuditWords,
  sight: Sight,
): Promise<{ readonly target: PolicyTarget; readonly listed?: Instance }> {
  try {
    const { found } = await findOrLast(
      deps.hosting,
      (instances) => resolveLoosely(asSeen(instances, sight), VERB, name),
      NAMED_WITHIN_MS,
    );
    return { target: found, listed: found };
  } catch (error) {
    const isUnknown =
      error instanceof Refusal ? error.code === 'no-such-instance' : error instanceof HostingError;
    if (!isUnknown) throw error;
    const isMeant = (one: PolicyTarget): boolean =>
      (one.id === name || one.name === name) && sight.maySee(one);
    const limits = { limit: 1, since: Math.min(since, deps.clock.now() - OPTIONS.lastMs([])) };
    const [past] = await deps.auditReader.read((entry) => isChangeOf(entry, isMeant), limits);
    if (!past?.entry.target) throw error;
    return { target: past.entry.target };
  }
}
