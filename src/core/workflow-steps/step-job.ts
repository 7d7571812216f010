import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { idOf } from '../../platform/id.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { fingerprintOf } from '../instances/facts.ts';
import { buttonTokenToRepeat, resolveAsk } from '../lookup/resolve.ts';
import { amongTheirs, asSeen, sightOf } from '../lookup/sight.ts';
import type { Background } from '../intake/route.ts';
import { BUTTON_TOKENS, offering, offerKey, usingUp } from '../offers/offers.ts';
import { together } from '../records/commit.ts';
import { createRecords, type Records, Unmet } from '../records/records.ts';
import { jobOf } from '../records/job.ts';
import { Refusal } from '../refusal.ts';
import {
  askedMessage,
  endUnknown,
  nobodyRestarted,
  notFound,
  notPosted,
  notRead,
  toldText,
} from './messages.ts';
import { ASKED_FOR_MS, type End, ended, type Step, STEPS } from './step.ts';
import type { Operating } from '../operations/operations.ts';

interface StepJobDeps extends Operating {
  readonly steps: Records<Step>;
  /** The route that its button asks for. */
  readonly restartRoute: string;
}

/** Slack is told again after so many looks, where it couldn't be, and for so long. */
const LOOKS_BETWEEN = 10;
const TELL_FOR_MS = ASKED_FOR_MS;

/** Asks whom the workflow names, looks until the restart that they began has ended, and tells Slack. */
function createStepJob(deps: StepJobDeps): JobHandler {
  const { steps, clock, timings } = deps;
  return async (id) => {
    const step = await steps.find(id);
    if (!step || step.closedAt !== undefined) return undefined;
    const waitMs = step.dueAt - clock.now();
    if (waitMs > 0) return Math.ceil(waitMs);
    if (step.end) return tell(deps, step, step.end);
    const isOver = clock.now() - (step.asked?.at ?? step.askedAt) > ASKED_FOR_MS;
    const after = await (step.asked ? look(deps, step, step.asked, isOver) : ask(deps, step, isOver));
    if (after) return 0;
    const later = (one: Step): Step => ({ ...one, dueAt: clock.now() + timings.sweepEveryMs });
    await steps.change(id, later);
    return timings.sweepEveryMs;
  };
}

async function tell(
  { steps, slackSteps, clock, timings, log }: StepJobDeps,
  { id, executionId }: Step,
  { isDone, said, reference = '', at }: NonNullable<Step['end']>,
): Promise<number | undefined> {
  try {
    await (isDone
      ? slackSteps.complete(executionId, { reference, result: toldText(said) })
      : slackSteps.fail(executionId, toldText(said)));
  } catch (error) {
    const { code, dead } = slackErrorOf(error);
    log.warn({ step: id, code }, 'telling Slack the end of a workflow step');
    if (!dead && clock.now() - at < TELL_FOR_MS) {
      const againMs = LOOKS_BETWEEN * timings.sweepEveryMs;
      await steps.change(id, (one) => ({ ...one, dueAt: clock.now() + againMs }));
      return againMs;
    }
  }
  await steps.change(id, (one) => ({ ...one, closedAt: clock.now() }));
  return undefined;
}

/** Finds the instance that is meant, among those of who is named, and asks them. Undefined where that has to wait. */
async function ask(deps: StepJobDeps, step: Step, isOver: boolean): Promise<Step | undefined> {
  const { steps, outbox, clock, restartRoute } = deps;
  const { actor, place, because } = step;
  let instance: Instance;
  try {
    instance = await find(deps, step);
  } catch (error) {
    if (error instanceof HostingError)
      return isOver ? endIt(deps, step, { isDone: false, said: notRead() }) : undefined;
    if (!(error instanceof Refusal)) throw error;
    return endIt(deps, step, { isDone: false, said: notFound(step.typed) });
  }
  const tokenId = idOf(`button of step ${step.id}`);
  const token = { ...buttonTokenToRepeat(instance, { because, place }), onlyFor: actor.userId };
  const asked = { tokenId, instance: fingerprintOf(instance), at: clock.now() };
  const next = { ...step, asked, dueAt: clock.now() };
  return steps.change(
    step.id,
    (one) => (one.asked || one.end ? undefined : next),
    async () => {
      const post = {
        id: step.id,
        to: { channelId: place.channelId },
        content: askedMessage(next, restartRoute),
        isForPlaceAlone: true as const,
        onDeadLetter: { handler: STEPS.job, id: step.id },
      };
      const said = await outbox.saying([post], 'moved');
      return together(said, { write: offering(BUTTON_TOKENS, tokenId, token) });
    },
  );
}

async function find({ access, hosting, restartRoute }: StepJobDeps, step: Step): Promise<Instance> {
  const { actor, place, typed, id } = step;
  const permission = 'instances:power';
  const doing = { permission, route: restartRoute, operationId: id } as const;
  const sight = await sightOf(access, actor, place.channelId, doing);
  const names = typed.split(/\s+/).filter((word) => word !== '');
  const verb = { verb: 'restart', routeId: restartRoute };
  const asked = {
    id,
    route: restartRoute,
    words: names,
    actor,
    place,
    replaces: false,
    askedAt: step.askedAt,
  };
  const finding = resolveAsk({ hosting: asSeen(hosting, sight) }, verb, asked, {
    names,
    dryRun: false,
    buttonToken: undefined,
  });
  return amongTheirs(access, sight, permission, typed, finding);
}

/** Whether what was begun by its button has ended. Undefined where it hasn't, or nobody has pressed. */
async function look(
  deps: StepJobDeps,
  step: Step,
  asked: NonNullable<Step['asked']>,
  isOver: boolean,
): Promise<Step | undefined> {
  const { offers, operations } = deps;
  const { usedBy } = await offers.find(BUTTON_TOKENS, asked.tokenId);
  const operation = usedBy === undefined ? undefined : await operations.find(usedBy);
  if (!operation) {
    if (!isOver) return undefined;
    return usedBy === undefined
      ? endUnpressed(deps, step, nobodyRestarted(asked))
      : endIt(deps, step, { isDone: false, said: endUnknown(asked) });
  }
  const { outcome } = operation;
  if (!outcome || !operations.knows(operation)) return undefined;
  return endIt(deps, step, {
    isDone: outcome.result === 'done',
    said: operations.kindOf(operation).ending(operation, outcome),
    reference: operation.id.slice(0, 8),
  });
}

/** Ends it and uses its button up as one. Undefined where something was begun by that meanwhile: that is looked at next. */
async function endUnpressed(deps: StepJobDeps, step: Step, said: End['said']): Promise<Step | undefined> {
  try {
    return await endIt(deps, step, { isDone: false, said }, step.asked?.tokenId);
  } catch (error) {
    if (error instanceof Unmet) return undefined;
    throw error;
  }
}

/** Its message asks nobody any more. `tokenId`: of the button that it uses up; throws Unmet where that has been used. */
async function endIt(
  { steps, outbox, clock, restartRoute }: StepJobDeps,
  step: Step,
  end: End,
  tokenId?: string,
): Promise<Step | undefined> {
  const keys = tokenId === undefined ? [] : [offerKey(BUTTON_TOKENS, tokenId)];
  return steps.change<'used'>(
    step.id,
    (one) => ended(one, end, clock.now()),
    async (next) => {
      if (!next.asked) return {};
      const content = askedMessage(next, restartRoute, end.said);
      const said = await outbox.saying([{ id: step.id, content, isEdit: true }], 'moved');
      return together<'used' | 'moved'>(usingUp(keys, step.id), said);
    },
  );
}

export function stepsBackground(given: Omit<StepJobDeps, 'steps'>): Background {
  const steps = createRecords(given.redis, STEPS);
  const deps = { ...given, steps };
  return {
    jobs: [jobOf(STEPS, steps, createStepJob(deps))],
    deadLetters: {
      [STEPS.job]: async (id) => {
        const step = await steps.find(id);
        if (step) await endUnpressed(deps, step, notPosted());
      },
    },
  };
}
