import type { Overflow, PlainTextElement, PlainTextOption } from '@slack/types';
import type { Button, Choice } from './message.ts';
import { plainText } from './plain-text.ts';

const MAX_VALUE = 150;
const MAX_OPTION = 75;
/** A select shows no more than these. */
export const MAX_OPTIONS = 100;

/** Choices as options of a select: plain text, at most 100. */
export function toOptions(choices: readonly Choice[]): PlainTextOption[] {
  // One value that Slack refuses would spoil the whole answer.
  const fitting = choices.filter(({ value }) => value.length >= 1 && value.length <= MAX_VALUE);
  return fitting.slice(0, MAX_OPTIONS).map((choice) => ({
    text: plainText(choice.label, MAX_OPTION),
    value: choice.value,
  }));
}

/** The answer to a select that asks for its options. */
export function toOptionsAnswer(
  choices: readonly Choice[],
):
  | { options: PlainTextOption[] }
  | { option_groups: { label: PlainTextElement; options: PlainTextOption[] }[] } {
  const options = toOptions(choices);
  const heading = choices[0]?.heading;
  if (heading === undefined || options.length === 0) return { options };
  return {
    option_groups: [{ label: plainText(heading, MAX_OPTION), options }],
  };
}

const MAX_MENU_LINES = 5;
const MAX_LINE = 75;

/** The action id of every menu; its lines name their routes themselves. */
export const MENU_ID = 'menu';

/** A menu's line as its option's value: which route, and the route's value, of words with one space between. */
const MENU_LINE = /^([a-z-]+\.[a-z-]+) ((?:\S+(?: \S+)*)?)$/;

/** The route and value of a menu's line; undefined for what is none. */
export function menuLine(value: string): { routeId: string; value: string } | undefined {
  const [, routeId, carried] = MENU_LINE.exec(value) ?? [];
  return routeId === undefined || carried === undefined ? undefined : { routeId, value: carried };
}

/** The menu beside the buttons of a message; none without lines. */
export function overflow(menu: readonly Button[]): Overflow[] {
  if (menu.length === 0) return [];
  const options = menu.slice(0, MAX_MENU_LINES).map(({ label, routeId, value, url }) => ({
    text: plainText(label, MAX_LINE),
    value: `${routeId} ${value}`,
    ...(url === undefined ? {} : { url }),
  }));
  return [{ type: 'overflow', action_id: MENU_ID, options }];
}
