import {
  type AskedPage,
  askedPage,
  keepList,
  WHOLE_LIST,
  parsePlace,
  findList,
} from '../../core/lists/asked-page.ts';
import { refuseUnknownValues } from '../../core/lookup/filter-values.ts';
import { listOrLast } from '../../core/lookup/find-or-last.ts';
import { matchingOf } from '../../core/lookup/matching.ts';
import { fromBefore } from '../../core/instances/messages.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route, PickedAt } from '../../core/intake/route.ts';
import type { InstanceList } from '../../platform/hosting/service.ts';
import { oncePer } from '../../platform/once-per.ts';
import type { Message, Choice } from '../../platform/slack/message.ts';
import { instanceList } from './list-messages.ts';
import { findStart, inListOrder, offered, withoutQuick, withQuick } from './list-order.ts';
import { LIST_ROUTE } from './route-ids.ts';
import type { Bot } from '../../core/bot/bot.ts';
import { choicesAmong, choicesOf, type MayPick } from '../../core/lookup/choices.ts';

/**
 * The choices of a picker under a list: those of the list, from its page on until something is typed. Without a list, or
 * under somebody else's, all that the person may pick.
 */
export async function choicesOfList(
  deps: Bot,
  typed: string,
  mayPick: MayPick,
  { actor, askedAt, channelId, keeps }: PickedAt,
): Promise<readonly Choice[]> {
  const { hosting, access } = deps;
  const place = parsePlace(keeps);
  const list = place && (await findList(deps, { actor }, place.listId));
  if (!place || list?.actor.userId !== actor.userId) return choicesOf(hosting, typed, mayPick);
  const { maySeeAddons, mayKnow } = await sightOf(access, actor, channelId);
  const { passes } = await matchingOf(deps, list.words, { maySeeAddons, mayKnow, now: askedAt });
  return choicesAmong(hosting, typed, (all) => {
    const listed = all.filter((one) => mayPick(one) && passes(one));
    return typed.trim() === '' ? inListOrder(listed).slice(place.from) : listed;
  });
}

/** `/instances`, `/instances list status:running name:web-*`. */
export function listRoute(deps: Bot): Route {
  return {
    id: LIST_ROUTE,
    verb: 'list',
    aliases: ['ls'],
    spoken: {
      example: ['list', 'all instances, trouble first'],
      isFirst: true,
      asks: [
        ['how many * running', 'status:running'],
        ['how many * stopped', 'status:stopped'],
        ['what do we have on <size>', 'tier:{size}'],
        ['(where|which|what|who) * (have|has|with|got|use|uses) <addon>', 'addon:{addon}'],
        ['not running', '-status:running'],
        ['(anything|any|which|what|ones|something) * down', '-status:running'],
        ['(which|any|what|ones|anything) * (errored|failed)', 'status:error,deploy_failed'],
        '(overview|summary|inventory)',
        '(which|what) * we have',
        ['<x>', '{as}'],
        ['(what|which|who|ones|show|list|anything) * on <size>', 'tier:{size}'],
        ['(what|which|who|ones|show|list|anything) * <size>', 'tier:{size}'],
        ['(any|anything|which|what|how many|show|list|all) * <x>', '{as}'],
        ['(anything|anyone|something|everything|all|any|what|which) * sick', '[{as}]'],
        ['(anything|any|which|what|something|ones) * in error', 'status:error'],
        ['(unhealthy|sick) (boxes|ones|instances|machines|servers)?', 'health:unhealthy'],
        ['(anything|any|which|what|ones|list|show) * (unhealthy|sick)', 'health:unhealthy'],
        ['(anything|any|which|what|ones|list|show) * (stopped|off|asleep)', 'status:stopped'],
        ['(anything|any|which|what|ones|list|show) * (running|up|on|online)', 'status:running'],
        ['(anything|any|which|what|ones|list|show) * paused', 'status:paused'],
        ['paused (ones|boxes|instances|machines|servers)', 'status:paused'],
        ['running (ones|boxes|instances|machines|servers)', 'status:running'],
        ['stopped (ones|boxes|instances|machines|servers)', 'status:stopped'],
        ['(all|everything) (good|ok|fine|green|well|healthy)', ''],
        'how many (machines|servers|boxes|instances|vms|nodes)',
        ['(list|show|see) <x>', '[{as}]'],
        '(list|show|see) (everything|all|machines|servers|boxes|instances|vms|nodes)',
        'status',
        'everything (ok|good|fine|up|running)',
        '(machines|servers|boxes|instances|vms) (do|we|there|status)',
        ['(show|list) everything but <x>', '-{as}'],
        ['everything but <x>', '-{as}'],
      ],
    },
    topics: [
      {
        words: ['filters', 'filter'],
        usage:
          'status:running,stopped tier:pro name:web-* -health:healthy region:fra1 label:env=prod host:*.example.com address:10.0.* addon:backup older:30d',
        summary: 'filters: a space is AND, a comma is OR, a leading - is NOT, and * is any run of characters',
      },
    ],
    permission: 'instances:read',
    writes: false,
    usage:
      '[status:… tier:… name:web-* health:… region:… label:… host:… address:… addon:… older:30d, or a favorite]',
    summary: 'list instances',
    handle: (ask) => showList(deps, ask),
    choices: (typed, mayPick, at) => choicesOfList(deps, typed, mayPick, at),
  };
}

/** The page of the list that words or a button ask for. Throws a Refusal. */
export async function showList(deps: Bot, ask: Ask): Promise<Reply> {
  const { hosting, access } = deps;
  const { actor, askedAt } = ask;
  const page = await askedPage(deps, ask, '/instances list');
  const words = page.quick === undefined ? page.words : withQuick(page.words, page.quick);
  const { maySee, maySeeAddons, mayKnow } = await sightOf(access, actor, ask.place.channelId);
  const by = { maySeeAddons, mayKnow, now: askedAt };
  const matching = await matchingOf(deps, words, by);
  const base = withoutQuick(words);
  const unfiltered = base.length === words.length ? matching : await matchingOf(deps, base, by);
  const { list, last } = await listOrLast(hosting);
  const { instances: all, ...of } = list;
  const visible = all.filter(maySee);
  if (!last && words.length === 0 && page.from === 0 && visible.length === all.length) return wholeList(list);
  refuseUnknownValues(matching.words, visible, false, list.incomplete !== undefined);
  const instances = visible.filter(matching.passes);
  const quick = offered(instances, visible.filter(unfiltered.passes));
  const needsRecord = instances.length > 0 || quick.length > 0;
  const inOrder = inListOrder(instances);
  const shown = instanceList(
    {
      instances: inOrder,
      words,
      total: visible.length,
      from: findStart(inOrder, page),
      listId: needsRecord ? await listIdOf(deps, ask, page, words) : undefined,
      offered: quick,
      remarks: matching.remarks,
    },
    last ? { ...of, readAtMs: undefined } : of,
  );
  return last ? fromBefore(shown, last.readAtMs) : shown;
}

/** The first page of everything. It is the same for all who may see that and share one reading, so it is made once for them. */
const wholeList = oncePer((list: InstanceList): Message => {
  const { instances, ...of } = list;
  return instanceList(
    {
      instances: inListOrder(instances),
      words: [],
      total: instances.length,
      from: 0,
      listId: WHOLE_LIST,
      offered: offered(instances, instances),
      remarks: [],
    },
    of,
  );
});

/** The record of what is shown: a list of the same words keeps its own. */
async function listIdOf(
  deps: Bot,
  ask: Ask,
  { listId, quick }: AskedPage,
  words: readonly string[],
): Promise<string | undefined> {
  return quick === undefined && listId !== undefined ? listId : keepList(deps, ask, words);
}
