import type { PlainTextElement, PlainTextOption } from '@slack/types';
import type { Choice } from './message.ts';
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
