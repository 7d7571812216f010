import { onTestFinished } from 'vitest';
import { openSmtpDouble, type SmtpDouble } from '../../../sandbox/outside/smtp-double.ts';
import { openWebhookDouble, type WebhookDouble } from '../../../sandbox/outside/webhook-double.ts';

type AtEnd = (close: () => Promise<void>) => void;

export const SECRET = 'a-long-random-text';

/**
 * Somebody's receiver, closed after the test, and what the bot is to be set with so that it posts there. `atEnd`: that of the test's own
 * context where tests run beside each other, since any other closes it after one of the others.
 */
export async function receiver(
  atEnd: AtEnd = onTestFinished,
): Promise<{ webhook: WebhookDouble; env: Record<string, string> }> {
  const webhook = await openWebhookDouble();
  atEnd(() => webhook.close());
  return { webhook, env: { BILLING_WEBHOOK_URL: webhook.url, BILLING_WEBHOOK_SECRET: SECRET } };
}

/** The same of a mail server. */
export async function mailbox(
  atEnd: AtEnd = onTestFinished,
): Promise<{ smtp: SmtpDouble; env: Record<string, string> }> {
  const smtp = await openSmtpDouble();
  atEnd(() => smtp.close());
  return {
    smtp,
    env: {
      SMTP_URL: smtp.url,
      BILLING_MAIL_TO: 'money@example.com, boss@example.com',
      BILLING_MAIL_FROM: 'lamplighter@example.com',
    },
  };
}

/** What came, once for each id, in the order in which it came first. */
export function lettersAt({ received }: WebhookDouble): Record<string, string>[] {
  const bodies = received.map(({ body }) => JSON.parse(body) as Record<string, string>); // what we posted ourselves
  return [...new Map(bodies.toReversed().map((one) => [one['id'], one])).values()].toReversed();
}

/** A mail's headers and text as a person reads them, from what went over the wire. */
export function readMail(raw: string): { subject: string; id: string; text: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const header = (name: string): string =>
    new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? '';
  const body = rest.join('\r\n\r\n');
  const isQuoted = /quoted-printable/i.test(header('Content-Transfer-Encoding'));
  const isBase64 = /base64/i.test(header('Content-Transfer-Encoding'));
  const text = isBase64
    ? Buffer.from(body, 'base64').toString()
    : isQuoted
      ? Buffer.from(
          body
            .replaceAll('=\r\n', '')
            .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString()
      : body;
  return { subject: header('Subject'), id: header('Message-ID'), text };
}
