import type { Ask } from '../../../core/ask/ask.ts';
import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { type SendFileDeps, sendRows } from '../../../core/lists/send-file.ts';
import { showList } from '../../../core/lists/list.ts';
import { typedButton } from '../../../core/intake/typed-button.ts';
import type { Route } from '../../../core/intake/route.ts';
import { groupsBy } from '../../../core/policy/sections.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { TRANSACTIONS_ROUTE } from '../transactions/transactions.ts';
import { type ComparedMonth, readMonth } from './compared.ts';
import { figuresOf, sightOf } from './figures.ts';
import {
  caveatsOf,
  MONTH_ROUTE,
  monthColumns,
  monthList,
  noteOf,
  type ToldMonth,
  WHY_ROUTE,
} from './messages.ts';
import {
  type AskedMonth,
  asksForFile,
  type By,
  isByLabel,
  CSV,
  monthBefore,
  monthInput,
  monthName,
  parseMonth,
  monthWords,
} from './month-words.ts';
import { explain } from '../why/explain.ts';
import type { Why } from '../why/messages.ts';
import type { Billing } from '../billing.ts';

/** A month before it is told to somebody. */
export type TellableMonth = Omit<ToldMonth, 'asked' | 'unit' | 'buttons'> &
  Pick<ComparedMonth, 'hasBefore'> & {
    /** Why it costs more or less than what it is compared with, where it is. Pure. */
    readonly why: () => Why;
  };

/** Where the figures of a month come from. */
export interface MonthSource extends Pick<Route, 'permission'> {
  /** Whether the labels of instances are known. */
  readonly tellsLabels: boolean;
  /** Leads on to what the service has booked. */
  onward(asked: AskedMonth): Promise<Button | undefined>;
  /** What is told of a month. Throws a Refusal where there are no figures of it. `now`: the calendar's, Unix ms. */
  tell(asked: AskedMonth, ask: Pick<Ask, 'actor' | 'place'>, now: number): Promise<TellableMonth>;
}

/** `/billing month [october|2026-10|last month] [by instance|type|group|label:team] [--csv]`: what a month has cost. */
export function monthRoute(deps: Billing & SendFileDeps, source: MonthSource): Route {
  const { calendar, costGroups, unit } = deps;
  return {
    id: MONTH_ROUTE,
    verb: 'month',
    spoken: {
      asks: [
        ['what * (spend|spent) * <span>', '{month}'],
        ['how much * (spend|spent) * <span>', '{month}'],
        ['(what|how much) * (we|us|everything) (cost|costs) * <span>', '{month}'],
        ['(spend|spent) <span>', '{month}'],
        ['(cost|costs|costing|spend|spending) * <span>', '{month}'],
        ['<span> * (cost|costs|spend|spending)', '{month}'],
      ],
    },
    permission: source.permission,
    writes: false,
    isWrittenDown: (words) => words.some(asksForFile),
    label: (words) => (words.some(asksForFile) ? 'Send the month as CSV' : undefined),
    usage: '[october | 2026-10 | last month] [by instance|type|group|label:team] [--csv]',
    summary: 'what a month has cost, against the month before',
    tool: routeTool({
      name: 'get_month',
      title: 'Get the costs of a month',
      description: 'Gives what a month has cost, against the month before.',
      input: z.object({ month: monthInput, by: z.enum(['instance', 'type', 'group']).default('instance') }),
      words: ({ month, by }) => [month, 'by', by],
    }),
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/billing month');
      const now = await calendar.today();
      const asked = parseMonth(page.words, now);
      if (asked.by === 'group' && costGroups().length === 0) throw noGroups();
      if (isByLabel(asked.by) && !source.tellsLabels) throw noLabels();
      const onward = await source.onward(asked);
      const {
        hasBefore,
        why: _,
        ...month
      } = await source.tell(asked, ask, now).catch((error: unknown) => {
        throw error instanceof Refusal && error.code === 'no-figures' && onward
          ? new Refusal(error.code, { buttons: [onward], ...error.answer })
          : error;
      });
      const buttons = await buttonsOf(deps, asked, { hasBefore, onward, isCompared: month.isCompared });
      const told: ToldMonth = { ...month, asked, unit, buttons };
      if (asked.isCsv) {
        const name = `month-${asked.month}-by-${asked.by.replaceAll(/[^\w-]/g, '-')}.csv`;
        return sendRows(deps, ask, { name, columns: monthColumns(told), rows: told.figures.lines });
      }
      return showList(deps, ask, page, monthList(told));
    },
  };
}

/** The months of the ledger that transactions have filled, of what somebody may see. */
export function bookedMonths({ access, costGroups, offers, ...deps }: Billing): MonthSource {
  return {
    permission: 'usage:read',
    tellsLabels: false,
    // What the service has booked in that month, one by one.
    onward: ({ month }) =>
      typedButton(offers, 'Transactions', { route: TRANSACTIONS_ROUTE, words: ['--in', month] }),
    tell: async (asked, { actor, place: { channelId } }, now) => {
      const maySee = await access.which(actor, 'usage:read', channelId);
      const mayRead = await access.which(actor, 'billing:read', channelId);
      const rights = { maySee, mayKnowAdded: mayRead('all') };
      const { days, before, ...compared } = await readMonth(deps, asked.month, now);
      const figures = figuresOf(days, before, asked.by, rights, groupsBy(costGroups()));
      return {
        ...compared,
        figures,
        caveats: caveatsOf({ ...compared, asked, figures }),
        note: noteOf(figures),
        head: 'Instance',
        isAll: maySee('all'),
        why: () => {
          const { names, maySeeId } = sightOf([...before, ...days], maySee);
          return { explanation: explain(before, days, maySeeId), names };
        },
      };
    },
  };
}

async function buttonsOf(
  { offers, costGroups }: Billing,
  asked: AskedMonth,
  {
    isCompared,
    hasBefore,
    onward,
  }: Pick<ComparedMonth, 'isCompared' | 'hasBefore'> & { readonly onward: Button | undefined },
): Promise<Button[]> {
  const all: readonly By[] = ['instance', 'type', ...(costGroups().length > 0 ? (['group'] as const) : [])];
  const before = monthBefore(asked.month);
  const button = (label: string, words: string[]): Promise<Button | undefined> =>
    typedButton(offers, label, { route: MONTH_ROUTE, words });
  const made = await Promise.all([
    ...all.filter((by) => by !== asked.by).map((by) => button(`By ${by}`, monthWords({ ...asked, by }))),
    ...(isCompared ? [typedButton(offers, 'Why?', { route: WHY_ROUTE, words: [asked.month] })] : []),
    ...(hasBefore ? [button(monthName(before), monthWords({ ...asked, month: before }))] : []),
    button('Send as CSV', [...monthWords(asked), CSV]),
  ]);
  // Before the file, which is the last.
  return made.toSpliced(-1, 0, onward).filter((one) => one !== undefined);
}

function noLabels(): Refusal {
  return new Refusal(
    'no-groups',
    say`This hosting service tells no labels of what it charges for. I can show a month by instance, by type or by group.`,
  );
}

function noGroups(): Refusal {
  return new Refusal(
    'no-groups',
    say`There are no groups of costs yet. The person who runs the bot can name them under costgroups in the policy file, as in web: name:web-*.`,
  );
}
