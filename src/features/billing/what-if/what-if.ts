import type { Ask } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { type Amount, add, compare, ZERO } from '../../../core/money/amount.ts';
import type { Protection } from '../../../core/policy/pattern.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { AboutService } from '../../../platform/hosting/about-service.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { readBalance, type Reading, runwayOf } from '../balance/reading.ts';
import { monthRange } from '../forecast/month.ts';
import { expectedOf, knownCosts } from '../range/expected.ts';
import { type Outlook, outlookOf } from '../range/range.ts';
import { type Effect, effectsOf, totalOf } from './effect.ts';
import { type Outcome, whatIfMessage } from './messages.ts';
import { parseSupposed } from './parse.ts';
import { type Judged, previewButtons } from './previews.ts';
import { readFigures } from './read.ts';
import type { Prepaid } from '../billing.ts';

/** `/billing what-if stop staging-*, top up 500`: how long the balance would last, and what the month would cost. Changes nothing. */
export function whatIfRoute(deps: Prepaid): Route {
  return {
    id: 'billing.what-if',
    verb: 'what-if',
    permission: 'billing:read',
    writes: false,
    usage: '<stop, start, delete, add, remove or top up …>',
    summary: 'how long the balance lasts with changes, beside now',
    handle: (ask) => answer(deps, ask),
  };
}

async function answer(deps: Prepaid, ask: Ask): Promise<Message> {
  const { hosting, unit, isProtected } = deps;
  const supposed = parseSupposed(typedWords(ask), unit);
  if (supposed.some(({ does }) => does === 'delete')) refuseUnlessDeletedAtOnce(hosting.about);
  const [reading, costs, { resolved, priceOf, remarks }] = await Promise.all([
    readBalance(hosting, deps.clock.now),
    knownCosts(deps.dailyCosts),
    readFigures(deps, ask, supposed),
  ]);
  const effects = effectsOf(
    resolved.map(({ meant }) => meant),
    priceOf,
  );
  const { asOf, perDay } = reading;
  const outlook = outlookOf({ ...costs, asOf, stated: perDay });
  const judged = resolved.flatMap((one, at): Judged[] => {
    const effect = effects[at];
    return effect ? [{ resolved: one, effect }] : [];
  });
  return whatIfMessage({
    now: outcomeOf(reading, outlook, NONE),
    after: isContradiction(reading, effects) ? undefined : outcomeOf(reading, outlook, totalOf(effects)),
    effects,
    basis: outlook?.basis,
    knownDays: costs.days.filter(({ cost }) => cost).length,
    protectedCount: judged.reduce((count, one) => count + protectedIn(one, isProtected), 0),
    remarks,
    unit,
    buttons: await previewButtons(deps, judged),
  });
}

/** Throws a Refusal where a deletion saves nothing from now on: the service deletes nothing, or not before what is paid for is over. */
function refuseUnlessDeletedAtOnce({ name, deletion }: AboutService): void {
  if ('notOffered' in deletion)
    throw new Refusal('not-possible', say`I can delete nothing at ${name}. ${deletion.notOffered}`);
  if (deletion.atEndOf !== undefined)
    throw new Refusal(
      'not-possible',
      say`${name} deletes nothing at once: an instance is canceled, and costs until the end of ${deletion.atEndOf}. So I can't say what that saves.`,
    );
}

const NONE = { perDay: ZERO, topUp: ZERO };

/** How it would stand. Pure. */
function outcomeOf(
  reading: Reading,
  outlook: Outlook | undefined,
  total: { readonly perDay: Amount; readonly topUp: Amount },
): Outcome {
  const { asOf } = reading;
  const balance = add(reading.balance, total.topUp);
  const perDay = reading.perDay && add(reading.perDay, total.perDay);
  const changes = [{ from: asOf, perDay: total.perDay }];
  return {
    reading: {
      ...reading,
      balance,
      perDay,
      runway: runwayOf(balance, perDay, asOf),
      expected: outlook && expectedOf(outlook, balance, changes),
    },
    month: outlook && monthRange(outlook, undefined, changes),
  };
}

/** Whether less than nothing would be left of what a day costs. */
function isContradiction({ perDay }: Reading, effects: readonly Effect[]): boolean {
  return perDay !== undefined && compare(add(perDay, totalOf(effects).perDay), ZERO) < 0;
}

/** How many of what is stopped or started together are left out of that, to be asked for one at a time. */
function protectedIn({ resolved: { isOne }, effect: { meant, changed } }: Judged, is: Protection): number {
  if (isOne || (meant.does !== 'stop' && meant.does !== 'start')) return 0;
  return changed.filter(({ instance }) => is(instance)).length;
}

/** The words of an ask with the commas behind them, which are no part of a word elsewhere. Pure. */
export function typedWords({ words, letters }: Pick<Ask, 'words' | 'letters'>): readonly string[] {
  return words.map((word, at) =>
    /[,;]$/.test(letters?.[at] ?? '') && !/[,;]$/.test(word) ? `${word},` : word,
  );
}
