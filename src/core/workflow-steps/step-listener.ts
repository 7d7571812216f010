import { z } from 'zod';
import { STEPS } from './step.ts';
import { createRecords } from '../records/records.ts';
import { idOf } from '../../platform/id.ts';
import { actorSchema, placeOf, placeSchema } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { parseIncoming } from '../intake/incoming.ts';
import type { Listeners } from '../intake/listeners.ts';
import type { Base } from '../base.ts';

/** The step's callback id, as manifest.yml has it. */
export const RESTART_STEP = 'restart_instance';

/** What is longer is cut, and then names nothing: refused, nobody would hear of it. */
const MAX_TYPED = 300;

export const stepSchema = z.object({
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
    const heard = parseIncoming(deps, stepSchema, body);
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
