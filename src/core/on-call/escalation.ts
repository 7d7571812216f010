import { z } from 'zod';

/** The admins of the account, as they are then. */
export const ADMINS = 'admins';
export const MAX_STEPS = 5;
/** So many people and user groups a step names at most. */
export const MAX_WHO = 10;

/** People, user groups or the admins who hear of what nobody is on, so long after that began. */
export const stepSchema = z.object({
  /** Since nobody has been on it. */
  afterMs: z.number().min(0),
  /** Ids of people and user groups, or `admins`. */
  who: z.array(z.string().regex(/^(?:admins|[UWS][A-Z0-9_]{1,63})$/)).min(1),
});
export type Step = z.infer<typeof stepSchema>;

/** A step with those whom it is for now. */
export interface StepNow {
  readonly afterMs: number;
  readonly people: readonly Reachable[];
  /** It is known of everybody in it whether they may hear. */
  readonly isRead: boolean;
}

/** Somebody who may hear of it. `isAway`: their notifications are paused, so that nothing reaches them now. */
interface Reachable {
  readonly userId: string;
  readonly isAway: boolean;
}

/** Who is to have heard. */
export interface Hearing {
  readonly people: readonly string[];
  /** Why nobody is reached though all steps are over: everybody in them is `away`, or there is `nobody` who may hear. */
  readonly unreached?: 'away' | 'nobody';
}

/**
 * Who is to have heard of what nobody has been on for `sinceMs`. A step that reaches nobody, because nobody is in it or all are
 * away, is followed by the next at once. Pure.
 */
export function hearing(steps: readonly StepNow[], sinceMs: number): Hearing {
  const heard = new Set<string>();
  let isReached = false;
  for (const [at, { afterMs, people, isRead }] of steps.entries()) {
    const isBefore = sinceMs < afterMs;
    if (isBefore && (at === 0 || isReached)) return { people: [...heard] };
    // Whoever can't be read now may be there: the next step waits for its time.
    isReached ||= !isRead;
    for (const { userId, isAway } of people) {
      heard.add(userId);
      isReached ||= !isAway;
    }
  }
  if (steps.length === 0 || isReached) return { people: [...heard] };
  return { people: [...heard], unreached: heard.size > 0 ? 'away' : 'nobody' };
}

/** So long after nobody is on it the next step is due; undefined where none is left. Pure. */
export function nextStepMs(steps: readonly Pick<Step, 'afterMs'>[], sinceMs: number): number | undefined {
  return steps.map(({ afterMs }) => afterMs).find((afterMs) => afterMs > sinceMs);
}
