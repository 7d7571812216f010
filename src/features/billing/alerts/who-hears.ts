import type { Step } from '../../../core/on-call/escalation.ts';
import type { OnCall } from '../../../core/on-call/on-call.ts';
import { stepsNow, type StepsNowDeps } from '../../../core/on-call/steps-now.ts';
import type { Access } from '../../../core/policy/access.ts';
import type { Timings } from '../../../core/timings.ts';
import type { Notice } from './alarm.ts';
import type { AlertConfig } from './alert-settings.ts';
import type { Rules } from './judge.ts';

export interface WhoHearsDeps extends StepsNowDeps {
  readonly onCall: Pick<OnCall, 'of'>;
  readonly access: Pick<Access, 'check'>;
  readonly config: AlertConfig;
  readonly timings: Timings;
}

/** Who is told where nobody is on it, as they are named and as they are now, and when the channel is left in peace. */
interface WhoHears extends Pick<Rules, 'steps' | 'quiet'> {
  readonly named: readonly Step[];
}

/** Who hears of an alert that stands there: those on call in its channel; where nobody of them may see the figures, those whom the configuration names. Throws what Redis throws. */
export function createWhoHears(deps: WhoHearsDeps): (to: Notice['to'] | undefined) => Promise<WhoHears> {
  const { onCall, access, config, timings } = deps;
  const mayHear = async (userId: string): Promise<boolean | undefined> => {
    const decision = await access.check({ userId }, 'billing:read', 'all');
    return decision.allowed || decision.reason !== 'not checked' ? decision.allowed : undefined;
  };
  return async (to) => {
    const { steps: ofChannel, quiet } = to && 'channelId' in to ? await onCall.of(to.channelId) : {};
    const named = ofConfiguration(config, timings);
    if (ofChannel) {
      const steps = await stepsNow(deps, ofChannel, mayHear);
      const isAnybody = steps.some(({ people, isRead }) => people.length > 0 || !isRead);
      if (isAnybody || named.length === 0) return { named: ofChannel, steps, quiet };
    }
    return { named, steps: await stepsNow(deps, named, mayHear), quiet };
  };
}

/** Those whom the configuration names, at one time. */
function ofConfiguration(
  { escalateTo }: AlertConfig,
  { escalateAfterMs }: Pick<Timings, 'escalateAfterMs'>,
): readonly Step[] {
  return escalateTo.length > 0 ? [{ afterMs: escalateAfterMs, who: [...escalateTo] }] : [];
}
