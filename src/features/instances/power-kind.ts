import type { HostingService, Power } from '../../platform/hosting/service.ts';
import type { OperationKind } from '../../core/operations/kind.ts';
import type { Sight } from '../../core/operations/sight.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { Timings } from '../../core/timings.ts';
import { doing, powerCard, powerEnding, powerNextButton } from './power-messages.ts';
import { judgePower, judgeRefusedPower, nextPower } from './power-rules.ts';
import { showButton } from './show-button.ts';

/** A power action as a kind of operation: how it is asked, judged and told. */
export function powerKind(
  power: Power,
  hosting: HostingService,
  sight: Sight,
  timings: Timings,
): OperationKind {
  return {
    kind: `instances.${power}`,
    permission: 'instances:power',
    doing: doing(power),
    sight,
    send: (operation, options) => hosting.powerInstance(operation.subject.id, power, options),
    judge: (operation, seen, now) => judgePower(power, operation, seen, now, timings),
    judgeRefused: (operation, seen, said) => judgeRefusedPower(power, operation, seen, said),
    card: (operation) => powerCard(power, operation),
    ending: (operation, outcome) => powerEnding(power, operation, outcome),
    nextSteps: (operation, outcome) => nextSteps(power, operation, outcome),
  };
}

/** What was never answered is looked at first; what failed can be tried again. A press is a request of its own. */
function nextSteps(power: Power, operation: Operation, outcome: Outcome): readonly Button[] {
  const next = nextPower(power, operation, outcome);
  const show = showButton(operation, outcome);
  if (next === undefined) return [show];
  const button = powerNextButton(power, next, operation, outcome);
  return outcome.result === 'unknown' ? [show, button] : [button, show];
}
