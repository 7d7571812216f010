import type { Spoken } from '../../core/sentences/phrasebook.ts';
import { type Change, change } from '../../core/changes/change.ts';
import type { ToCheck, ShownTo } from '../../core/changes/declaration.ts';
import type { Instance, Power } from '../../platform/hosting/service.ts';
import type { Past } from '../../core/operations/past.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { OutcomeCode } from '../../core/outcome-words.ts';
import type { Button } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import {
  countRestarts,
  isLoop,
  type ReasonToAsk,
  whyAsk,
  whyAskAgain,
  endedAsOvertaken,
  readNow,
  refuseUnless,
} from './before-power.ts';
import {
  askFirst,
  forceButton,
  notAsShown,
  powerButton,
  powerEnding,
  powerNextButton,
  WORDS,
  wouldPower,
  showButton,
} from './power-messages.ts';
import { judgePower, judgeRefusedPower, nextPower, refusePower } from './power-rules.ts';
import { skippedFor } from './why-not.ts';
import { backAhead, forAWhile, OPPOSITE, refuseUnlessBack, stuckFor, type WhileArgs } from './for-a-while.ts';
import { withWayBack } from './already.ts';
import { START_AGAIN } from './route-ids.ts';
import type { InstanceVerbs } from './instances.ts';

/** How people ask for a power action. */
const SPOKEN: Readonly<Record<Power, Spoken>> = {
  start: {
    undoes: 'instances.stop',
    isForAWhile: true,
    whiles: [
      ['keep <x> (on|up|running|online|started)', '{x}'],
      ['(leave|let|have) <x> (on|up|run|running)', '{x}'],
      ['i? need <x> (on|up|running)?', '{x}'],
      ['run <x>', '{x}'],
    ],
    orders: [['<x> on', '{x}']],
    verbs: [
      'start',
      'boot',
      'boot up',
      'launch',
      'resume',
      'start up',
      'power on',
      'power up',
      'turn on',
      'turn <x> on',
      'switch on',
      'switch <x> on',
      'wake up',
      'wake',
      'wake <x> up',
      'fire up',
      'spin up',
      'bring up',
      'bring back',
      'bring <x> up',
      'bring <x> back',
      'bring <x> back up',
      'bring <x> online',
      'get <x> running',
      'get <x> up',
      'get <x> back up',
      'start <x> up',
      'turn <x> back on',
      'turn back on',
      'get <x> going',
      'bring <x> up again',
    ],
  },
  stop: {
    undoes: 'instances.start',
    isForAWhile: true,
    whiles: [['(keep|leave) <x> (off|down|stopped|offline)', '{x}']],
    orders: [['<x> off', '{x}']],
    verbs: [
      'stop',
      'halt',
      'shut down',
      'shutdown',
      'shut <x> down',
      'power off',
      'power down',
      'turn off',
      'turn of',
      'turn <x> off',
      'switch off',
      'switch <x> off',
      'take down',
      'take <x> down',
      'take <x> offline',
      'bring down',
      'bring <x> down',
      'kill',
      'suspend',
      'pause',
      'pull the plug on',
      'pull plug on',
      'put <x> to sleep',
      'shut <x> off',
      'shut off',
      'turn <x> back off',
    ],
  },
  restart: {
    example: ['restart web-1', 'also start and stop, one or several'],
    verbs: [
      'restart',
      'reboot',
      'bounce',
      'cycle',
      'recycle',
      'power cycle',
      'power-cycle',
      'powercycle',
      'kick',
      'reload',
      'reset',
      'turn <x> off and on',
      'turn off and on <x>',
      'turn <x> off and back on',
      'turn <x> off and on again',
      'stop and start <x>',
    ],
  },
};

/** Start, stop or restart: asks first where it is risky. */
export function powerChange(power: Power, deps: InstanceVerbs): Change {
  const { hosting, observer, timings } = deps;
  const { label, style } = powerButton(power, '');
  return change({
    id: `instances.${power}`,
    verb: power,
    spoken: SPOKEN[power],
    permission: 'instances:power',
    usage: `<name or id> [more, filters or a favorite]${OPPOSITE[power] ? ' [for 4h or until 18:00]' : ''} [--at-once 5] [--because "…"] [--dry-run]`,
    summary: `${power} one instance, or several at once`,
    example: `/instances ${power} web-1`,
    words: WORDS[power],
    ...forAWhile(power, deps),
    passes: (instance) => refusePower(power, instance) === undefined,
    check: async (at) => {
      const { past, asRead } = await deps.past.read(at.instance.id, deps.clock.now());
      const instance = isJustChanged(past, deps) ? await readNow(hosting, at.instance) : at.instance;
      await refuseUnless(power, deps, instance, refusePower).catch(async (error: unknown) => {
        throw await withWayBack(power, deps, at, error);
      });
      await refuseUnlessBack(power, deps, at);
      const reason = whyAskFirst(power, deps, at, instance, past);
      return {
        instance,
        // A start or a stop finds out before its call that it was done meanwhile, see endedAsOvertaken.
        ...(power === 'restart' ? { asRead } : {}),
        would: { lines: [wouldPower(power, instance, reason, hosting.about), ...backAhead(power, at.args)] },
        ...(reason === undefined
          ? {}
          : { question: { lines: [...askFirst(power, instance, reason), ...backAhead(power, at.args)] } }),
      };
    },
    several: {
      skip: (instance, shown) => whySkipped(power, instance, shown, deps),
      whyNotBack: (instance, { end }, ask) => stuckFor(power, deps, { ask, instance, args: { end } }),
      price: (instances, ask) => deps.price(power, instances, ask),
      ...(power === 'restart' ? { leavesDone: true } : {}),
      ...(power === 'stop' ? { opposite: { label: 'Start them again', routeId: START_AGAIN } } : {}),
    },
    confirm: { how: 'button', label, style },
    observer,
    prepare: (operation) => endedAsOvertaken(power, deps, operation),
    send: ({ subject }, options) => hosting.powerInstance(subject.id, power, options),
    rule: {
      judge: (operation, observed, now) => judgePower(power, operation, observed, now, timings),
      judgeRefused: (operation, observed, said) => judgeRefusedPower(power, operation, observed, said),
    },
    ending: (operation, outcome) => powerEnding(power, operation, outcome),
    nextSteps: (operation, outcome) =>
      nextSteps(
        power,
        operation,
        outcome,
        hosting.about.offers.forcing.some((one) => one === power),
      ),
  });
}

/** Why an instance is left out of several: what asks first by itself is asked for by itself. */
async function whySkipped(
  power: Power,
  instance: Instance,
  shown: ShownTo | undefined,
  { isProtected, past, clock }: InstanceVerbs,
): Promise<Phrase | undefined> {
  const refusal = refusePower(power, instance);
  if (refusal !== undefined) return skippedFor(power, instance, refusal);
  if (power === 'start') return undefined;
  if (isProtected(instance)) return say`is protected; run it separately`;
  if (power !== 'restart' && !shown) return undefined;
  const now = clock.now();
  const all = await past.list(instance.id, now);
  const reason = shown && whyAskAgain(power, all, { ...shown, now });
  if (reason) return notAsShown(reason);
  const times = power === 'restart' ? countRestarts(all) : 0;
  return isLoop(times)
    ? say`was asked to restart ${times} times within a day, which looks like a restart loop; run it separately`
    : undefined;
}

/** How an action ended that was asked of a system which didn't do it, or may not have. */
const NOT_FOLLOWED: readonly OutcomeCode[] = ['no-end', 'action-failed', 'accepted'];

/**
 * What was never answered is looked at first; what failed can be tried again, and what the system of an instance didn't
 * follow can be forced. A press is a request of its own.
 */
function nextSteps(
  power: Power,
  operation: Operation,
  outcome: Outcome,
  canForce: boolean,
): readonly Button[] {
  const next = nextPower(power, operation, outcome);
  const show = showButton(operation, outcome);
  if (next === undefined) return [show];
  const isForced = canForce && next !== 'start' && next === power && NOT_FOLLOWED.includes(outcome.code);
  // Asked once more it would do it twice, if it did it.
  if (outcome.result === 'asked') return isForced ? [show, forceButton(next, operation.id)] : [show];
  const button = isForced
    ? forceButton(next, operation.id)
    : powerNextButton(power, next, operation, outcome);
  return outcome.result === 'unknown' ? [show, button] : [button, show];
}

function whyAskFirst(
  power: Power,
  { isProtected }: InstanceVerbs,
  { ask, buttonToken, isConfirmed, shownAt = Number.POSITIVE_INFINITY }: ToCheck<WhileArgs>,
  instance: Instance,
  past: readonly Past[],
): ReasonToAsk | undefined {
  const { askedAt: now, actor } = ask;
  const { userId } = actor;
  // What they were shown they have said yes to.
  if (isConfirmed) return whyAskAgain(power, past, { userId, shownAt, now });
  return whyAsk(power, {
    isProtected: isProtected(instance),
    past,
    userId,
    now,
    pickedTo: buttonToken?.pickedTo,
  });
}

/** Whether an operation ended so lately that the list may still show what was before it. `past`: newest first. */
function isJustChanged([latest]: readonly Past[], { clock, timings }: InstanceVerbs): boolean {
  return latest !== undefined && clock.now() - latest.at < timings.listMayLagMs;
}
