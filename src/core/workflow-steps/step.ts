import { z } from 'zod';
import { key } from '../../platform/redis/key.ts';
import { type RecordKind, createRecords } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import { fingerprintSchema } from '../instances/facts.ts';
import { actorSchema, placeSchema, placeOf } from '../../platform/slack/ids.ts';
import { phraseSchema, plain } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { idOf } from '../../platform/id.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import { parseIncoming } from '../intake/incoming.ts';
import type { Listeners } from '../intake/listeners.ts';
import type { Base } from '../base.ts';

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

/** The step's callback id, as manifest.yml has it. */
export const RESTART_STEP = 'restart_instance';

/** What is longer is cut, and then names nothing: refused, nobody would hear of it. */
const MAX_TYPED = 300;

export const stepEvent = z.object({
  team_id: z.string().max(64).optional(),
  event: z.object({
    type: z.literal('function_executed'),
    function: z.object({ callback_id: z.string() }),
    function_execution_id: z.string().min(1).max(100),
    inputs: z.object({
      instance: z.string(),
      person: actorSchema.shape.userId,
      channel: placeSchema.shape.channelId,
      reason: z.string().optional(),
    }),
  }),
});

/** A workflow came to the step. It is written down under the id of this run: Slack may tell of it several times. */
export function createStepListener(
  deps: Pick<Base, 'redis' | 'queue' | 'log' | 'metrics'>,
): Listeners['workflowStep'] {
  const { redis, queue } = deps;
  const steps = createRecords(redis, STEPS);
  return async ({ body, context }) => {
    const heard = parseIncoming(deps, stepEvent, body);
    if (!heard || heard.event.function.callback_id !== RESTART_STEP) return;
    const { function_execution_id: executionId, inputs } = heard.event;
    const id = idOf(`step ${executionId}`);
    const askedAt = arrivedAtOf(context);
    const step = {
      id,
      executionId,
      actor: { userId: inputs.person, ...(heard.team_id ? { teamId: heard.team_id } : {}) },
      place: placeOf(inputs.channel),
      typed: cut(inputs.instance),
      ...(inputs.reason?.trim() ? { because: cut(inputs.reason) } : {}),
      askedAt,
      dueAt: askedAt,
    };
    await steps.create(id, step, { wake: () => queue.wake(STEPS.job, id) });
  };
}

function cut(text: string): string {
  return text.trim() === '' ? '' : plain(text, MAX_TYPED);
}
