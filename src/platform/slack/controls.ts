import type {
  PlainTextElement,
  Button as SlackButton,
  Overflow,
  PlainTextOption,
  ConversationsSelect,
  ExternalSelect,
  MultiExternalSelect,
  UsersSelect,
} from '@slack/types';
import { plain } from './phrase.ts';
import type { Button, Choice, Blank, Picker, SeveralPicker } from './message.ts';
import type { MessageBlock } from './figures.ts';

/** Words where Slack formats nothing: on one line, at most `longest` characters, and `:x:` is no emoji. */
export function plainText(text: string, longest: number): PlainTextElement {
  return { type: 'plain_text', text: plain(text, longest), emoji: false };
}

/** Buttons on one line; a phone shows two or three beside each other. */
const MAX_ROW = 5;
const MAX_LABEL = 75;
const MAX_SPOKEN_ID = 40;

/** Buttons on one line. */
export function buttonRow(buttons: readonly Button[]): SlackButton[] {
  const shown = buttons.slice(0, MAX_ROW);
  return shown.map((one, index) => button(one, shown.slice(0, index).filter(isTwinOf(one)).length));
}

function isTwinOf({ routeId }: Button): (other: Button) => boolean {
  return (other) => other.routeId === routeId;
}

/** Slack takes each action id once in a block: a second button of a route has a number after its id. */
const TWIN = /#\d$/;

/** The route that an action id names. */
export function routeIdOf(actionId: string): string {
  return actionId.replace(TWIN, '');
}

function button(one: Button, twinsBefore: number): SlackButton {
  return {
    type: 'button',
    action_id: twinsBefore === 0 ? one.routeId : `${one.routeId}#${twinsBefore}`,
    text: plainText(one.label, MAX_LABEL),
    value: one.value,
    style: one.style,
    ...(one.about && { accessibility_label: spokenLabel(one.label, one.about) }),
    ...(one.url === undefined ? {} : { url: one.url }),
  };
}

/** What a screen reader says of a button: "Restart web-1 (101)". A long name is cut, so that the id stays. */
function spokenLabel(label: string, { id, name }: NonNullable<Button['about']>): string {
  const verb = plain(label.replace(/…$/u, ''), MAX_LABEL);
  const idWords = ` (${plain(id, MAX_SPOKEN_ID)})`;
  const room = MAX_LABEL - verb.length - idWords.length - 1;
  if (room < 1) return plain(`${verb}${idWords}`, MAX_LABEL);
  let shown = plain(name, room);
  for (let most = room; shown.length > room; most--) shown = plain(name, most);
  return `${verb} ${shown}${idWords}`;
}

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

const MAX_PLACEHOLDER = 150;

/** What is typed into a message is one line. */
const MAX_TYPED = 300;

/** What asks for a word that is missing, with the words that it completes under the id of its block. */
export function blankBlock({ routeId, asks, label, keeps }: Blank): MessageBlock {
  if (asks !== 'text') {
    const select = asks === 'person' ? usersSelect(routeId, label) : channelSelect(routeId, label);
    return { type: 'actions', block_id: keeps, elements: [select] };
  }
  return {
    type: 'input',
    block_id: keeps,
    label: plainText(label, MAX_PLACEHOLDER),
    dispatch_action: true,
    element: { type: 'plain_text_input', action_id: routeId, max_length: MAX_TYPED },
  };
}

/** A select of all people, whom Slack lists itself. */
function usersSelect(routeId: string, label: string): UsersSelect {
  return { type: 'users_select', action_id: routeId, placeholder: plainText(label, MAX_PLACEHOLDER) };
}

/** A select of the channels that its reader sees. */
function channelSelect(routeId: string, label: string): ConversationsSelect {
  return {
    type: 'conversations_select',
    action_id: routeId,
    placeholder: plainText(label, MAX_PLACEHOLDER),
    filter: { include: ['public', 'private'] },
  };
}

/** A select with type-ahead of at most so many. */
export function selectSeveral(
  { routeId, placeholder }: Pick<SeveralPicker, 'routeId' | 'placeholder'>,
  most: number,
): MultiExternalSelect {
  return {
    type: 'multi_external_select',
    action_id: routeId,
    placeholder: plainText(placeholder, MAX_PLACEHOLDER),
    min_query_length: 0,
    max_selected_items: most,
  };
}

/** A select that asks the route for its choices. */
export function externalSelect({
  routeId,
  placeholder,
}: Pick<Picker, 'routeId' | 'placeholder'>): ExternalSelect {
  return {
    type: 'external_select',
    action_id: routeId,
    placeholder: plainText(placeholder, MAX_PLACEHOLDER),
    min_query_length: 0,
  };
}
