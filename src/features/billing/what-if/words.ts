import { compare, negate, ZERO } from '../../../core/money/amount.ts';
import { counted } from '../../../core/money/counted.ts';
import { addonName } from '../../../core/lookup/addon.ts';
import { join, type Phrase, say, strong } from '../../../platform/slack/phrase.ts';
import { namesOf } from '../balance/at-zero.ts';
import type { Effect, Idle, Meant, Priced } from './effect.ts';

/** Why it changes nothing for one, and for several. */
const IDLE: Readonly<Record<Idle, readonly [one: string, several: string]>> = {
  'stopped already': ['is stopped already', 'are stopped already'],
  'runs already': ['is running already', 'are running already'],
  'not possible now': [
    "can't be changed like that as it is now",
    "can't be changed like that as they are now",
  ],
  'deleted by then': ['is deleted by then', 'are deleted by then'],
  'not paid by the day': ["isn't paid by the day", "aren't paid by the day"],
  'has it already': ['has it already', 'have it already'],
  'has none': ['has no such add-on', 'have no such add-on'],
  'has several': ['has several of them, and an id says which', 'have several of them, and an id says which'],
};

/** What one change brings: "Stop web-1 (101): saves 95 credits a day." Pure. */
export function changeWords(effect: Effect, unit: string): Phrase {
  const { meant, changed, topUp } = effect;
  if (meant.does === 'top up') return say`Top up: ${strong(counted(topUp, unit))} more.`;
  const brings = changed.length === 0 ? say`nothing changes.` : bringsWords(effect, unit);
  return join([say`${doingWords(meant, changed)}: ${brings}`, ...idleWords(effect)], ' ');
}

function doingWords(meant: Exclude<Meant, { does: 'top up' }>, those: readonly Priced[]): Phrase {
  const isNone = those.length === 0;
  switch (meant.does) {
    case 'stop':
      return isNone ? say`Stop` : say`Stop ${namesIn(those)}`;
    case 'start':
      return isNone ? say`Start` : say`Start ${namesIn(those)}`;
    case 'delete':
      return isNone ? say`Delete` : say`Delete ${namesIn(those)}`;
    case 'add':
      return isNone ? say`Add ${addonName(meant)}` : say`Add ${addonName(meant)} to ${namesIn(those)}`;
    case 'remove':
      return isNone
        ? say`Remove ${addonName(meant)}`
        : say`Remove ${addonName(meant)} from ${namesIn(those)}`;
  }
}

function namesIn(those: readonly Priced[]): Phrase {
  return namesOf({ named: those.map(({ instance }) => instance), count: those.length });
}

function bringsWords({ perDay, changed, unknown }: Effect, unit: string): Phrase {
  if (unknown.length === changed.length) return say`what that changes is unknown, so it isn't counted.`;
  const lacking =
    unknown.length === 0 ? say`` : say` Not counted: ${namesIn(unknown)}, whose cost is unknown.`;
  switch (compare(perDay, ZERO)) {
    case -1:
      return say`saves ${strong(counted(negate(perDay), unit))} a day.${lacking}`;
    case 1:
      return say`costs ${strong(counted(perDay, unit))} a day more.${lacking}`;
    case 0:
      return say`a day costs the same.${lacking}`;
  }
}

/** Those for which it changes nothing, and why, as sentences. */
function idleWords({ idle, changed }: Effect): readonly Phrase[] {
  return [...new Set(idle.map(({ why }) => why))].map((why) => {
    const those = idle.filter((each) => each.why === why);
    const names = namesIn(those.map(({ priced }) => priced));
    const so = changed.length > 0 ? say`, so nothing changes there` : say``;
    const [one, several] = IDLE[why];
    return say`${names} ${those.length === 1 ? one : several}${so}.`;
  });
}
