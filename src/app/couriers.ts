import type { Couriers } from '../core/outbox/outside.ts';
import { DeliveryFault } from '../platform/courier.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { createMail, type MailAt, tryMail } from '../platform/mail/mail.ts';
import { createWebhook } from '../platform/webhook/webhook.ts';
import type { Timings } from '../core/timings.ts';
import type { Config } from './config/config.ts';
import type { FaultPoints } from './fault-points.ts';

/** What takes alerts and digests to each place outside of Slack that is configured. */
export function createCouriers(
  { outside: { webhook, mail } }: Pick<Config, 'outside'>,
  {
    wayOut,
    faultPoints,
    timings: { slackTimeoutMs: timeoutMs },
  }: {
    readonly wayOut: WayOut;
    readonly faultPoints: FaultPoints;
    readonly timings: Pick<Timings, 'slackTimeoutMs'>;
  },
): Couriers {
  return {
    ...(webhook ? { webhook: faultPoints('webhook', createWebhook({ ...webhook, wayOut, timeoutMs })) } : {}),
    ...(mail ? { mail: faultPoints('mail', createMail({ ...mail, wayOut, stepWithinMs: timeoutMs })) } : {}),
  };
}

/** Tries whether the mail server lets the bot in, without a mail: gives the code of why not. */
export function mailFaultOf(at: MailAt): () => Promise<string | undefined> {
  return async () => {
    try {
      await tryMail({ ...at, stepWithinMs: TRIED_WITHIN_MS });
      return undefined;
    } catch (error) {
      if (error instanceof DeliveryFault) return error.code;
      throw error;
    }
  };
}

/** Less than an examination waits for one look. */
const TRIED_WITHIN_MS = 1_500;
