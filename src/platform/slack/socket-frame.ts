import { z } from 'zod';
import { withoutNulls } from './without-nulls.ts';

/** One request of Slack over a WebSocket, to be acknowledged by its id. */
export interface Envelope {
  readonly id: string;
  readonly body: Record<string, unknown>;
  readonly retryNum: number | undefined;
}

/** What Slack says over a WebSocket: that it is ready, that another connection should take over, or a request. */
export type Frame =
  | { readonly kind: 'hello' }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'envelope'; readonly envelope: Envelope };

const frameSchema = z.union([
  z.object({ type: z.literal('hello') }).transform((): Frame => ({ kind: 'hello' })),
  z.object({ type: z.literal('disconnect') }).transform((): Frame => ({ kind: 'disconnect' })),
  z
    .object({
      type: z.string(),
      envelope_id: z.string().min(1).max(200),
      payload: z.record(z.string(), z.unknown()),
      retry_attempt: z.number().int().min(0).optional().catch(undefined),
    })
    .transform(({ envelope_id: id, payload: body, retry_attempt: retryNum }): Frame => ({
      kind: 'envelope',
      envelope: { id, body, retryNum },
    })),
]);

/** A text frame as what it means; undefined for anything else, `null` and broken JSON included. */
export function readFrame(text: string): Frame | undefined {
  try {
    return frameSchema.safeParse(withoutNulls(JSON.parse(text))).data;
  } catch {
    return undefined;
  }
}
