import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { oneOf } from '../../../core/ask/mend-words.ts';
import {
  type Amount,
  compare,
  formatAmount,
  parseAmount,
  sum,
  ZERO,
  counted,
} from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { type List, partWords, showList } from '../../../core/lists/list.ts';
import type { PolicyTarget } from '../../../core/policy/pattern.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { Usage } from '../../../platform/hosting/service.ts';
import { type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import { costliestFirst } from '../buy-time/messages.ts';
import { transactionsButton, USAGE_ROUTE, usageButton } from '../balance/messages.ts';
import type { Billing } from '../billing.ts';

/** What one instance or add-on costs a day. */
interface UsageLine {
  readonly name: string;
  readonly id: string | undefined;
  /** Undefined where the service does not say. */
  readonly perDay: Amount | undefined;
  /** It costs so much and more. */
  readonly isLeast?: boolean;
  readonly state: string | undefined;
}

/** `/billing usage [by instance|addon]`: what a day costs, most expensive first. */
export function usageRoute(deps: Billing): Route {
  return {
    id: USAGE_ROUTE,
    verb: 'usage',
    spoken: {
      asks: [
        ['(top|biggest) (spenders|spender|costs|consumers|eaters)', 'by instance'],
        [
          '(usage|costs|cost|spending|money|broken down|breakdown) * (by|per|each) (instance|box|machine|server)',
          'by instance',
        ],
        ['(usage|costs|cost|spending|broken down|breakdown) * (by|per|each) (addon|add-on)', 'by addon'],
        ['(eats|eating|burns|burning|costs|spends|uses) * (most|money|much)', ''],
        ['most (expensive|money|credits)', ''],
        '(daily burn|burn|burn rate|spending|usage|costs|costing)',
        '(what|how much) * cost * (day|daily|a day)?',
        'why * (more|higher|expensive|cost)',
        '(most expensive|expensive)',
        'what * eating * (money|credits)',
      ],
    },
    permission: 'usage:read',
    writes: false,
    usage: '[by instance|addon]',
    summary: 'what a day costs, by instance or by add-on',
    tool: routeTool({
      name: 'get_usage',
      title: 'Get what a day costs',
      description: 'Gives what a day costs now, by instance or by add-on.',
      input: z.object({ by: z.enum(['instance', 'addon']).default('instance') }),
      words: ({ by }) => [`by`, by],
    }),
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/billing usage');
      const isPage = page.listId !== undefined || ask.value === undefined;
      const by = (isPage ? wantedIn(page.words) : ask.value) === 'addon' ? 'addon' : 'instance';
      const usage = await deps.hosting.getUsage();
      const maySee = await deps.access.which(ask.actor, 'usage:read', ask.place.channelId);
      const addons = addonLines(usage, maySee);
      const lines = by === 'addon' ? addons : instanceLines(usage, maySee);
      // The service's own sum is of all of it.
      const total = maySee('all') && by === 'instance' ? parseAmount(usage.dailyTotalCredits) : undefined;
      const { unit, clock } = deps;
      return showList(deps, ask, page, usageList(lines, { by, unit, total, addons, asOf: clock.now() }));
    },
  };
}

interface UsageAsked {
  readonly by: 'instance' | 'addon';
  readonly unit: string;
  /** What the service says of all of it. */
  readonly total: Amount | undefined;
  /** What costs beside instances. */
  readonly addons: readonly UsageLine[];
  readonly asOf: number;
}

/** What a day costs, the most expensive first: what comes after a page is summed up in its last row. */
function usageList(
  lines: readonly UsageLine[],
  { by, unit, total, addons, asOf }: UsageAsked,
): List<UsageLine> {
  const isByAddon = by === 'addon';
  const { total: known, isWhole } = totalOf(lines);
  const differs = total && compare(total, known) !== 0;
  const other = isByAddon ? { ...usageButton('instance'), label: 'By instance' } : usageButton('addon');
  const buttons = [other, transactionsButton];
  return {
    routeId: USAGE_ROUTE,
    words: [by],
    rows: lines.toSorted(costliestFirst),
    none: { lines: [say`There are no ${isByAddon ? 'add-ons' : 'instances'} that cost anything.`], buttons },
    columns: [
      { head: isByAddon ? 'Add-on' : 'Instance', cell: calledIn },
      { head: `${unit} a day`, isNumber: true, cell: costCell },
      {
        head: 'State',
        cell: ({ state = '' }) => (state.trim() === '' ? '' : plain(state.replaceAll('_', ' '), 30)),
      },
    ],
    bars: { title: `${unit} a day by ${by}`, of: ({ name, perDay }) => ({ label: name, amount: perDay }) },
    others: (rest) => {
      const { total: perDay, isWhole: isKnown } = totalOf(rest);
      return { name: `${rest.length} others`, id: undefined, perDay, isLeast: !isKnown, state: undefined };
    },
    page: (part) => ({
      lines: [
        say`${isByAddon ? 'Add-ons' : 'Instances'} cost ${strong(`${isWhole ? '' : 'at least '}${counted(known, unit)}`)} a day, most expensive first:`,
        ...(differs ? [differenceWords(known, total, totalOf(addons), unit)] : []),
        ...partWords(part),
        ...othersWords(part.rest),
      ],
      note: say`As of ${time(asOf)}`,
      buttons,
    }),
  };
}

function calledIn({ id = '', name }: UsageLine): string {
  return id === '' ? name : `${name} (${plain(id, 20)})`;
}

function costCell({ perDay, isLeast }: UsageLine): string {
  return perDay ? `${isLeast ? 'at least ' : ''}${formatAmount(perDay)}` : 'unknown';
}

function othersWords(rest: readonly UsageLine[]): Phrase[] {
  if (rest.length === 0) return [];
  const unknown = totalOf(rest).isWhole ? '' : ', or whose cost is unknown,';
  return [say`${rest.length} that cost less${unknown} are summed up as others.`];
}

/** The sum of what is known, and whether all is. */
function totalOf(lines: readonly UsageLine[]): { readonly total: Amount; readonly isWhole: boolean } {
  return {
    total: sum(lines.map(({ perDay }) => perDay ?? ZERO)),
    isWhole: lines.every(({ perDay }) => perDay !== undefined),
  };
}

/** Where the rest of the service's own sum is, as far as it says. */
function differenceWords(
  known: Amount,
  total: Amount,
  addons: ReturnType<typeof totalOf>,
  unit: string,
): Phrase {
  const all = counted(total, unit);
  return addons.isWhole && compare(sum([known, addons.total]), total) === 0
    ? say`Add-ons cost another ${counted(addons.total, unit)}, so it is ${all} a day in all.`
    : say`The service counts ${all} a day in all, and doesn't say what else is in it.`;
}

const KINDS: ReadonlyMap<string, 'instance' | 'addon'> = new Map([
  ['instance', 'instance'],
  ['instances', 'instance'],
  ['addon', 'addon'],
  ['addons', 'addon'],
  ['add-on', 'addon'],
  ['add-ons', 'addon'],
]);

const BY = oneOf(['by', 'instance'], ['by', 'addon']);

/** Throws a Refusal for anything but "by instance" and "by addon". */
function wantedIn(words: readonly string[]): string {
  const named = words.filter((word) => word.toLowerCase() !== 'by');
  const unknown = named.filter((word) => !KINDS.has(word.toLowerCase()));
  const kinds = new Set(named.map((word) => KINDS.get(word.toLowerCase())));
  if (unknown.length > 0)
    throw new Refusal(
      'bad-usage',
      say`I don't know "${unknown.join(' ')}" here. I can show what a day costs now, by instance or by addon, as in /billing usage by addon; for the past, type /billing transactions --last 30d.`,
      BY,
    );
  if (kinds.size > 1)
    throw new Refusal('bad-usage', say`By instance, or by addon? I can show one of them at a time.`, BY);
  return [...kinds][0] ?? 'instance';
}

type MaySee = (target: PolicyTarget) => boolean;

function instanceLines({ instances }: Usage, maySee: MaySee): UsageLine[] {
  const theirs = instances.filter(({ id = '', name = '' }) => maySee({ id, name }));
  return theirs.map(({ id, name, dailyCredits, status }) => ({
    name: plain(name ?? '', 60),
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}

function addonLines({ addons }: Usage, maySee: MaySee): UsageLine[] {
  // It is known by the name of its instance alone.
  const theirs = addons.filter(({ instanceName: name = '' }) => maySee({ id: '', name }));
  return theirs.map(({ id, type, tier, instanceName, dailyCredits, status }) => ({
    name: `${plain(type ?? '', 40)}${tier === undefined ? '' : ` (${plain(tier, 20)})`} on ${plain(instanceName ?? '', 40)}`,
    id,
    perDay: parseAmount(dailyCredits),
    state: status,
  }));
}
