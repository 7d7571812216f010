import type { Button, Message } from '../../platform/slack/message.ts';
import { toPlainText } from '../../platform/slack/phrase.ts';

/** The route of the button that answers a question with no. */
export const CANCEL_QUESTION = 'question.cancel';

/** What its button carries where nothing was written down of the question. */
const NOTHING = 'none';

/**
 * Something that is asked of one person, with the button that ends it without a change: everything that asks is made by this.
 * `offered`: what a yes would use up, as `offered()` in core/offers says it, which then counts no more. `label`: of the button.
 */
export function question(message: Message, offered = NOTHING, label = 'Cancel'): Message {
  const cancel: Button = { label, routeId: CANCEL_QUESTION, value: offered };
  return { ...message, buttons: [...(message.buttons ?? []), cancel] };
}

/** What was said, perhaps in fields, with what may have been meant as buttons: where it asks in words or fields, they are the answers, and Cancel stands last. */
export function withChoices(said: Message, choices: readonly Button[]): Message {
  const { buttons = [] } = said;
  if (choices.length === 0 && !said.blanks) return said;
  const cancels = buttons.filter(isCancel);
  const all = [...buttons.filter((one) => !isCancel(one)), ...choices];
  if (cancels.length > 0) return { ...said, buttons: [...all, ...cancels] };
  const asks = said.blanks !== undefined || said.lines.some((line) => /\?(?:\s|$)/.test(toPlainText(line)));
  return asks ? question({ ...said, buttons: all }) : { ...said, buttons: all };
}

function isCancel({ routeId }: Button): boolean {
  return routeId === CANCEL_QUESTION;
}

/** Whether buttons are only the way out of a question that can't be answered otherwise. */
export function isOnlyCancel(buttons: readonly Button[]): boolean {
  return buttons.length > 0 && buttons.every(isCancel);
}
