import type { App } from '@slack/bolt';

/** One request of Slack on its way to Bolt, whichever wire it came over. */
export interface IncomingRequest {
  readonly body: Record<string, unknown>;
  readonly isEvent: boolean;
  /** What names this very request. */
  readonly incomingId: string;
  /** Whether a stranger who saw it can send it again, as over HTTP with its signature. */
  readonly isReplayable: boolean;
  /** How long its acknowledgement may be. */
  readonly maxAckBytes: number;
  readonly retryNum: number | undefined;
  /** When it reached us, in Redis' time. */
  readonly arrivedAt: number;
  /** Acknowledges, once, with what Bolt's listener said. */
  readonly respond: (said: string | object | undefined) => void | Promise<void>;
  readonly refuse: (status: number, why: string) => void;
}

/**
 * Hands a request to Bolt. Bolt acknowledges an event before its listener runs; here the acknowledgement
 * leaves only when the listener is through, so that an event acknowledged is one written down.
 */
export async function handToBolt(app: App, request: IncomingRequest): Promise<void> {
  let hasAnswered = false;
  const acknowledge = async (said?: unknown): Promise<void> => {
    if (hasAnswered) return;
    hasAnswered = true;
    await request.respond(
      typeof said === 'string' || (typeof said === 'object' && said !== null) ? said : undefined,
    );
  };
  try {
    await app.processEvent({
      body: request.body,
      ack: request.isEvent ? async () => undefined : acknowledge,
      customProperties: {
        incomingId: request.incomingId,
        isReplayable: request.isReplayable,
        maxAckBytes: request.maxAckBytes,
        arrivedAt: request.arrivedAt,
      },
      retryNum: request.retryNum,
    });
  } catch {
    // Bolt's error handler has logged it.
    if (!hasAnswered) request.refuse(500, 'fault');
    return;
  }
  if (request.isEvent) await acknowledge();
  else if (!hasAnswered) request.refuse(404, 'unhandled');
}

/** What names the request that a listener was given. */
export function incomingIdOf(context: Readonly<Record<string, unknown>>): string {
  if (typeof context['incomingId'] !== 'string') throw new Error('a request without an id');
  return context['incomingId'];
}

/** Whether a stranger could have sent the request again. */
export function isReplayable(context: Readonly<Record<string, unknown>>): boolean {
  return context['isReplayable'] !== false;
}

/** How long the acknowledgement of the request may be, in bytes. */
export function maxAckBytesOf(context: Readonly<Record<string, unknown>>): number {
  return typeof context['maxAckBytes'] === 'number' ? context['maxAckBytes'] : Infinity;
}

/** When the request reached us; what it asks for counts from then. */
export function arrivedAtOf(context: Readonly<Record<string, unknown>>): number {
  if (typeof context['arrivedAt'] !== 'number') throw new Error('a request without a time of arrival');
  return context['arrivedAt'];
}

/** What an acknowledgement over a socket may take, in bytes: over somewhat more Slack closes the socket, for everybody. */
export const MAX_SOCKET_ACK_BYTES = 16 * 1024;

/** Whether the body of an acknowledgement has at most so many bytes. Pure. */
export function isWithin(maxBytes: number, body: object): boolean {
  return maxBytes === Infinity || sizeOf(body) <= maxBytes;
}

/** The body of an acknowledgement within so many bytes: of options the first that fit, of anything else that is longer nothing. Pure. */
export function fittedTo(maxBytes: number, body: object): object {
  if (isWithin(maxBytes, body)) return body;
  if ('options' in body && Array.isArray(body.options))
    return { ...body, options: firstWithin(maxBytes - sizeOf({ ...body, options: [] }), body.options) };
  if ('option_groups' in body && Array.isArray(body.option_groups)) {
    const [group, ...more]: object[] = body.option_groups;
    if (group && more.length === 0)
      return { option_groups: [fittedTo(maxBytes - sizeOf({ option_groups: [[]] }), group)] };
  }
  return {};
}

function firstWithin(maxBytes: number, options: readonly unknown[]): readonly unknown[] {
  let left = maxBytes;
  const first = options.findIndex((option) => (left -= sizeOf(option) + 1) < 0);
  return first < 0 ? options : options.slice(0, first);
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
