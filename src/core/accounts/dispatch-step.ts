import type { Listeners } from '../intake/listeners.ts';
import { type WithDefaults, chooseByText, ownOf, reachableFor } from './choose.ts';
import { stepHeard } from './read-heard.ts';

interface OfStep extends WithDefaults {
  readonly listeners: Pick<Listeners, 'workflowStep'>;
}

/** A workflow names the account before the instance, or means the channel's own; where nothing says which, it names no instance. */
export function dispatchStep(served: readonly [OfStep, ...OfStep[]]): Listeners['workflowStep'] {
  const [first] = served;
  return async ({ body, context }) => {
    const inputs = stepHeard.safeParse(body).data?.event.inputs;
    if (!inputs) return first.listeners.workflowStep({ body, context });
    const caller = { userId: inputs.person, channelId: inputs.channel };
    const reachable = reachableFor(served, caller);
    const own = await ownOf(served, reachable, caller);
    const meant = chooseByText(reachable, inputs.instance, own);
    const [one, instance] = 'served' in meant ? [meant.served, meant.text] : [reachable[0] ?? first, ''];
    const event = { ...body.event, inputs: { ...inputs, instance } };
    return one.listeners.workflowStep({ body: Object.assign({}, body, { event }), context });
  };
}
