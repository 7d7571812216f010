import { sum } from '../../../core/money/amount.ts';
import { counted } from '../../../core/money/counted.ts';
import { bringsWords } from '../../../core/money/lasting.ts';
import { incompleteWords } from '../../../core/instances/messages.ts';
import type { Choice, Message, Modal } from '../../../platform/slack/message.ts';
import { MAX_OPTIONS } from '../../../platform/slack/options.ts';
import { type Phrase, plain, say } from '../../../platform/slack/phrase.ts';
import { fundsWords } from '../balance/messages.ts';
import { WITHOUT_ADDONS } from '../usage/costs.ts';
import { planButton, PLAN_ROUTE } from './messages.ts';
import type { Offered, Plan } from './read-plan.ts';

/** The route that the modal is handed to. */
export const RUN_ROUTE = 'billing.run-plan';

/** What the modal says and offers, of what is picked in it. `notYours`: why its person may not run it, and who may. Pure. */
export function planModal(
  plan: Plan,
  picked: readonly string[],
  { unit, notYours }: { readonly unit: string; readonly notYours: Phrase | undefined },
): Modal {
  const { reading, protectedCount, incomplete } = plan;
  const left =
    protectedCount === 0
      ? []
      : [
          say`${protectedCount === 1 ? '1 protected instance is' : `${protectedCount} protected instances are`} not offered; run it separately.`,
        ];
  return {
    routeId: notYours ? PLAN_ROUTE : RUN_ROUTE,
    value: 'plan',
    title: 'Buy time',
    lines: [
      fundsWords(reading, unit),
      say`Pick what to stop. While they're stopped, what they serve is down.`,
      pickedWords(plan, picked, unit),
      ...left,
      ...(incomplete ? [incompleteWords(incomplete, 'instances')] : []),
      ...(notYours ? [notYours] : []),
    ],
    field: {
      label: 'What to stop',
      hint: 'What costs most stands first. Nothing is stopped before you confirm it once more.',
      picks: { routeId: PLAN_ROUTE, placeholder: 'Pick what to stop' },
    },
    ...(notYours ? {} : { submit: 'Show what would stop' }),
  };
}

/** The same where no modal can be opened: a button that tries again. Pure. */
export function planMessage(modal: Modal): Message {
  return { lines: modal.lines, buttons: [planButton('Pick what to stop')], modal };
}

/** What stopping the picked ones would bring. */
function pickedWords({ offered, reading }: Plan, picked: readonly string[], unit: string): Phrase {
  if (picked.length === 0) return say`Nothing is picked yet.`;
  const those = offered.filter(({ id }) => picked.includes(id));
  const gone = picked.length - those.length;
  const lost =
    gone > 0 ? say` ${gone} of those that were picked can't be stopped from here any more.` : say``;
  const costs = those.flatMap(({ perDay }) => perDay ?? []);
  const what = those.length === 1 ? '1 instance' : `${those.length} instances`;
  const saved = sum(costs);
  const part = costs.length < those.length ? ` for the ${costs.length} whose cost is known` : '';
  const saves = say`Stopping ${what} saves at most ${counted(saved, unit)} a day${part}${those.some(({ hasAddons }) => hasAddons) ? WITHOUT_ADDONS : ''}.`;
  const brings = reading.perDay && bringsWords(reading.balance, reading.perDay, saved);
  const days =
    brings === undefined ? say` How many days that brings is unknown.` : say` The balance then ${brings}.`;
  return say`${saves}${days}${lost}`;
}

/** The choices of the modal's select, most expensive first. Pure. */
export function planChoices(offered: readonly Offered[], unit: string): readonly Choice[] {
  const heading =
    offered.length > MAX_OPTIONS ? `The ${MAX_OPTIONS} that cost most; type a name for others` : undefined;
  return offered.slice(0, MAX_OPTIONS).map(({ id, name, perDay, health }) => {
    const cost = perDay ? `${counted(perDay, unit)} a day` : 'cost unknown';
    const least = health === 'unhealthy' ? ' · unhealthy' : '';
    return {
      value: id,
      label: `${plain(name, 25)} (${plain(id, 12)}) · ${plain(cost, 22)}${least}`,
      heading,
    };
  });
}
