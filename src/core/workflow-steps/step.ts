import { z } from 'zod';
import { key } from '../../platform/redis/key.ts';
import type { RecordKind } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import { fingerprintSchema } from '../instances/fingerprint.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';

/**
 * One run of the workflow step that restarts an instance. Slack doesn't say who runs a workflow, and its builder can name anybody: so
 * whoever is named is asked, and only their press is a request.
 */
const stepSchema = z.object({
  id: z.string(),
  /** By which Slack is told its end. */
  executionId: z.string(),
  /** Who is asked, and where. */
  actor: actorSchema,
  place: placeSchema,
  /** As the workflow names the instance, and why it asks. */
  typed: z.string(),
  because: z.string().optional(),
  /** Redis' clock, Unix ms. */
  askedAt: z.number(),
  /** What the button stands for, once the message is written down, and when that was. */
  asked: z.object({ tokenId: z.string(), instance: fingerprintSchema, at: z.number() }).optional(),
  /** What Slack is to be told, and since when; `reference`: of the request, where there was one. */
  end: z
    .object({
      isDone: z.boolean(),
      said: phraseSchema.readonly(),
      reference: z.string().optional(),
      at: z.number(),
    })
    .optional(),
  /** When the next look is due. */
  dueAt: z.number(),
  /** Slack was told. */
  closedAt: z.number().optional(),
});
export type Step = z.infer<typeof stepSchema>;
/** How it ended. */
export type End = Omit<NonNullable<Step['end']>, 'at'>;

export const STEPS: RecordKind<Step> & Woken = {
  job: 'step',
  isSeldom: true,
  keyOf: (id) => key('step', id),
  index: key('steps', 'open'),
  schema: stepSchema,
  dueAt: ({ closedAt, dueAt }) => (closedAt === undefined ? dueAt : 'closed'),
  // Slack may deliver its event again until then.
  keptMs: 7 * DAY_MS,
};

/** As long as what its button stands for is kept. */
export const ASKED_FOR_MS = DAY_MS;

/** A step that has ended so, unless it had; Slack is told next. Pure. */
export function ended(step: Step, end: End, now: number): Step | undefined {
  return step.end ? undefined : { ...step, end: { ...end, at: now }, dueAt: now };
}
