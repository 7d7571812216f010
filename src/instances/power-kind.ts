import type { HostingService, Power } from '../hosting/service.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Sight } from '../operations/sight.ts';
import type { Operation } from '../operations/operation.ts';
import type { Button } from '../slack/message.ts';
import type { Timings } from '../timings.ts';
import { doing, powerCard, powerEnding } from './power-messages.ts';
import { judgePower, judgeRefusedPower } from './power-rules.ts';

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
    card: (operation) => powerCard(power, operation, againButton(power, operation)),
    ending: (operation, outcome) => powerEnding(power, operation, outcome),
  };
}

/** An unknown restart is never repeated by the bot, but a person may ask anew: by a request of its own. */
function againButton(power: Power, operation: Operation): Button | undefined {
  if (power !== 'restart' || operation.outcome?.code !== 'lost') return undefined;
  return { label: 'Restart anew', routeId: `instances.${power}`, value: operation.id };
}
