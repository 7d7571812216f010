import { choicesOf } from '../../core/lookup/choices.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { followedBy, inWords } from '../../core/ask/mend-words.ts';
import type { Change } from '../../core/changes/change.ts';
import { isForbidden } from '../../core/changes/examine.ts';
import type { Decision } from '../../core/policy/decide.ts';
import { noAccess } from '../../core/policy/no-access.ts';
import { forced, unforced, type Permission } from '../../core/policy/permissions.ts';
import { Refusal } from '../../core/refusal.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import type { Route } from '../../core/intake/route.ts';
import { join, say } from '../../platform/slack/phrase.ts';
import { rehearsedMessage } from './messages.ts';
import { createRehearsal, type Rehearsing } from './rehearsal.ts';

const ROUTE = 'lamplighter.rehearse';

/** `/lamplighter rehearse restart prod-1`: whether that would work now, from the request to its end. Changes nothing. */
export function rehearseRoute(deps: Rehearsing): Route {
  const rehearsal = createRehearsal(deps);
  const rehearsable = deps.changes.filter(({ permission }) => permission === 'instances:power');
  return {
    id: ROUTE,
    verb: 'rehearse',
    spoken: {
      asks: [
        ['(would|will|could|does|is) <doing> <x> * (work|succeed|go through)', '{do} {x}'],
        ['(would|will|could|does) (a|the)? <do> (of|on|for)? <x> * (work|succeed|go through)', '{do} {x}'],
        ['(rehearse|rehearsal of|practice) (a|the)? (<do>|<doing>) (of|on|for)? <x>', '{do} {x}'],
      ],
    },
    permission: undefined,
    writes: false,
    namesInstances: true,
    isAskable: false,
    usage: '<verb> <name or id>',
    summary: 'whether a restart, a stop or a start would work now: everything is tried but the last call',
    choices: async (typed, _, { actor, channelId }) =>
      choicesOf(deps.hosting, typed, await deps.access.which(actor, 'instances:read', channelId)),
    handle: async (ask) => {
      const { change, words } = read(deps.changes, rehearsable, ask.words);
      const { channelId } = ask.place;
      const at = { channelId, route: change.id };
      const any = await deps.access.check(ask.actor, change.permission, 'any', at);
      await refuseUnlessMay(deps, any, change.permission);
      const asked: Ask = { ...ask, words: [...words] };
      const found = await rehearsal.change(change, asked, true);
      if (found) await refuseUnlessMay(deps, found.rehearsed.decision, change.permission);
      const way = await rehearsal.way(channelId);
      return {
        ...rehearsedMessage(change.verb, found, way),
        ...(found ? answerAbout(ROUTE, [found.rehearsed.instance]) : {}),
      };
    },
  };
}

/** What else there is to know of it is for those alone who may do it. Throws a Refusal. */
async function refuseUnlessMay(
  { access }: Rehearsing,
  decision: Decision,
  permission: Permission,
): Promise<void> {
  if (isForbidden(decision) && !decision.allowed) throw noAccess(decision, permission, await access.policy());
}

/** The verb and the words that name the instance; a restart where no verb is named. Throws a Refusal. */
function read(
  all: readonly Change[],
  rehearsable: readonly Change[],
  typed: readonly string[],
): { readonly change: Change; readonly words: readonly string[] } {
  const { verb, names } = split(all, typed);
  const change = rehearsable.find((one) => one.verb === (verb ?? 'restart'));
  if (!change && verb !== undefined && names.length > 0) {
    const verbs = rehearsable.map((one) => say`${one.verb}`);
    throw new Refusal(
      'bad-argument',
      say`I can rehearse ${join(verbs.slice(0, -1), ', ')} and ${verbs.at(-1) ?? []}, but not ${verb}.`,
    );
  }
  const words = change && verb !== undefined ? names : typed;
  if (!change || words.length === 0)
    throw new Refusal(
      'no-name',
      say`What do you want to rehearse? Example: /lamplighter rehearse restart web-1.`,
      followedBy(inWords('What you want to rehearse', 'restart web-1')),
    );
  return { change, words };
}

/** The verb that a line begins with, and what follows it. "force restart" and `--force` are the forced form, whether the service has it or not. */
function split(
  all: readonly Change[],
  typed: readonly string[],
): { readonly verb: string | undefined; readonly names: readonly string[] } {
  const words = typed.filter((word) => word !== '--force');
  const isForced = words.length < typed.length || (/^forced?$/i.test(words[0] ?? '') && words.length > 2);
  const [first = '', ...names] = isForced && words.length === typed.length ? words.slice(1) : words;
  const verb = first.toLowerCase();
  const isVerb = all.some((one) => [one.verb, forced(one.verb)].includes(verb));
  if (!isVerb)
    return isForced ? { verb: forced('restart'), names: words } : { verb: undefined, names: typed };
  return { verb: isForced && unforced(verb) === verb ? forced(verb) : verb, names };
}
