import { z } from 'zod';
import { type Change, change } from '../../core/changes/change.ts';
import { forced } from '../../core/policy/permissions.ts';
import { nameOf, statusOf } from '../../core/instances/messages.ts';
import type { Forcible } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { whyAskAgain, endedAsOvertaken, refuseUnless } from './before-power.ts';
import { askBeforeForce, powerEnding, WORDS, showButton } from './power-messages.ts';
import { judgePower, judgeRefusedPower, refuseForce } from './power-rules.ts';
import { FORCE_ROUTES } from './route-ids.ts';
import type { InstanceVerbs } from './instances.ts';

/** The verbs that don't wait for the system of an instance: those of the two that the service has. */
export function forceChanges(deps: InstanceVerbs): readonly Change[] {
  return deps.hosting.about.offers.forcing.map((power) => forceChange(power, deps));
}

/** `/instances force-stop web-1`: what the graceful way didn't do. Always asks first. */
function forceChange(power: Forcible, deps: InstanceVerbs): Change {
  const { hosting, observer, timings } = deps;
  const { doing, done } = WORDS[power];
  return change({
    id: FORCE_ROUTES[power],
    verb: forced(power),
    permission: 'instances:power',
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: `${power} one instance without waiting for its system`,
    example: `/instances ${forced(power)} web-1`,
    words: { doing: `Force-${doing.toLowerCase()}`, done: `Force-${done.toLowerCase()}` },
    args: z.object({}),
    passes: (instance) => refuseForce(power, instance) === undefined,
    check: async ({ ask, instance: listed, isConfirmed, shownAt }) => {
      const instance = await refuseUnless(power, deps, listed, refuseForce);
      const { past, asRead } = await deps.past.read(listed.id, deps.clock.now());
      const shown = { userId: ask.actor.userId, shownAt: shownAt ?? Number.POSITIVE_INFINITY };
      // What was done with it since the person who has said yes was asked.
      const again = isConfirmed ? whyAskAgain(power, past, { ...shown, now: ask.askedAt }) : undefined;
      const status = say`It is ${statusOf(instance)} now.`;
      return {
        instance,
        ...(power === 'restart' ? { asRead } : {}),
        would: {
          lines: [
            say`Would ask you first, then force-${power} ${nameOf(instance)}. ${status} This was a dry run: nothing was done.`,
          ],
        },
        ...(isConfirmed && !again ? {} : { question: { lines: askBeforeForce(power, instance, again) } }),
      };
    },
    confirm: { how: 'button', label: `Force ${power}`, style: 'danger' },
    observer,
    prepare: (operation) => endedAsOvertaken(power, deps, operation),
    send: ({ subject }, options) => hosting.forceInstance(subject.id, power, options),
    rule: {
      judge: (operation, observed, now) => judgePower(power, operation, observed, now, timings),
      judgeRefused: (operation, observed, said) => judgeRefusedPower(power, operation, observed, said),
    },
    ending: (operation, outcome) => powerEnding(power, operation, outcome),
    nextSteps: (operation, outcome) => [showButton(operation, outcome)],
  });
}
