import type { Button as SlackButton } from '@slack/types';
import type { Button } from './message.ts';
import { plain } from './phrase.ts';
import { plainText } from './plain-text.ts';

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
