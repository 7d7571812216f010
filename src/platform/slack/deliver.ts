import type { App } from '@slack/bolt';

/** One request of Slack on its way to Bolt, whichever wire it came over. */
export interface Delivery {
  readonly body: Record<string, unknown>;
  readonly isEvent: boolean;
  /** What names this very delivery. */
  readonly deliveryId: string;
  readonly retryNum: number | undefined;
  /** When it reached us, in Redis' time. */
  readonly arrivedAt: number;
  /** Acknowledges, once, with what Bolt's listener said. */
  readonly respond: (said: string | object | undefined) => void | Promise<void>;
  readonly refuse: (status: number, why: string) => void;
}

/**
 * Hands a delivery to Bolt. Bolt acknowledges an event before its listener runs; here the acknowledgement
 * leaves only when the listener is through, so that an event acknowledged is one written down.
 */
export async function deliver(app: App, delivery: Delivery): Promise<void> {
  let hasAnswered = false;
  const acknowledge = async (said?: unknown): Promise<void> => {
    if (hasAnswered) return;
    hasAnswered = true;
    await delivery.respond(
      typeof said === 'string' || (typeof said === 'object' && said !== null) ? said : undefined,
    );
  };
  try {
    await app.processEvent({
      body: delivery.body,
      ack: delivery.isEvent ? async () => undefined : acknowledge,
      customProperties: { deliveryId: delivery.deliveryId, arrivedAt: delivery.arrivedAt },
      ...(delivery.retryNum === undefined ? {} : { retryNum: delivery.retryNum }),
    });
  } catch {
    // Bolt's error handler has logged it.
    if (!hasAnswered) delivery.refuse(500, 'fault');
    return;
  }
  if (delivery.isEvent) await acknowledge();
  else if (!hasAnswered) delivery.refuse(404, 'unhandled');
}

/** What names the delivery that a listener was given. */
export function deliveryOf(context: Readonly<Record<string, unknown>>): string {
  if (typeof context['deliveryId'] !== 'string') throw new Error('a request without a delivery id');
  return context['deliveryId'];
}

/** When the request reached us; what it asks for counts from then. */
export function arrivalOf(context: Readonly<Record<string, unknown>>): number {
  if (typeof context['arrivedAt'] !== 'number') throw new Error('a request without a time of arrival');
  return context['arrivedAt'];
}
