import type { Button, Message } from '../../platform/slack/message.ts';

/** The route of the button that answers a question with no. */
export const CANCEL_QUESTION = 'question.cancel';

/** What its button carries where nothing was written down of the question. */
const NOTHING = 'none';

/**
 * Something that is asked of one person, with the button that ends it without a change: everything that asks is made by this.
 * `offered`: what a yes would use up, as `offered()` in core/offers says it, which then counts no more.
 */
export function question(message: Message, offered = NOTHING): Message {
  const cancel: Button = { label: 'Cancel', routeId: CANCEL_QUESTION, value: offered };
  return { ...message, buttons: [...(message.buttons ?? []), cancel] };
}

/** Whether buttons are only the way out of a question that can't be answered otherwise. */
export function isOnlyCancel(buttons: readonly Button[]): boolean {
  return buttons.length > 0 && buttons.every(({ routeId }) => routeId === CANCEL_QUESTION);
}
