import type { DeadLetterHandlers } from '../../../core/outbox/send-posts.ts';
import { NO_WAY_BY_PROXY, UNKNOWN_OUTCOME } from '../../../platform/courier.ts';
import { idOf } from '../../../platform/id.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { destinationOf } from '../alerts/alert-settings.ts';
import type { Billing } from '../billing.ts';
import { LOST_OUTSIDE } from './reports.ts';

/** Says once where alerts go what reached nobody outside of Slack, or may not have. */
export function lostOutside({ alarms, config, admins, outbox }: Billing): DeadLetterHandlers {
  return {
    [LOST_OUTSIDE]: async (via, { id, content, message: { fault } }) => {
      const { settings } = await alarms.get();
      const to = destinationOf(settings, config, admins());
      if (to) await outbox.post({ id: idOf(`${id} lost`), to, content: lostMessage(via, content, fault) });
    },
  };
}

function lostMessage(
  via: string,
  { lines: [first = [] as Phrase] }: Message,
  fault: string | undefined,
): Message {
  const isMail = via === 'mail';
  if (fault === UNKNOWN_OUTCOME)
    return {
      lines: [
        say`📭 I can't say whether a mail arrived: the connection broke before the mail server answered. I don't send it again. The mail said:`,
        first,
      ],
    };
  const where = isMail ? 'by mail' : 'to the webhook';
  const todo = isMail
    ? 'Look at SMTP_URL, BILLING_MAIL_FROM and BILLING_MAIL_TO.'
    : 'Look at BILLING_WEBHOOK_URL and at what answers there.';
  return {
    lines: [say`📭 I couldn't send this ${where}: ${whyWords(fault)}. ${todo} The message said:`, first],
  };
}

/** Why, as the rest of a sentence. */
function whyWords(fault: string | undefined): string {
  const status = fault?.startsWith('answered-') ? fault.slice('answered-'.length) : undefined;
  if (status !== undefined) return `it was answered ${status}`;
  if (fault === NO_WAY_BY_PROXY) return 'the proxy gives no connection to it';
  return fault === 'not-connected' ? "it can't be reached" : 'no answer came in a day';
}
