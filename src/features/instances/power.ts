import { z } from 'zod';
import type { Protection } from '../../core/policy/protection.ts';
import { type Change, change } from '../../core/changes/change.ts';
import type { Args, LookedAt } from '../../core/changes/declaration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import type { PastStore } from '../../core/operations/recent-store.ts';
import type { Observer } from '../../core/operations/observer.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Timings } from '../../core/timings.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Button } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Ask } from '../../core/routing/route.ts';
import { nameOf } from '../../core/lookup/messages.ts';
import { countRestarts, isLoop, type ReasonToAsk, whyAsk } from './confirm-rules.ts';
import {
  askFirst,
  powerButton,
  powerEnding,
  powerNextButton,
  powerRefused,
  skippedFor,
  WORDS,
  wouldPower,
} from './power-messages.ts';
import { judgePower, judgeRefusedPower, nextPower, refusePower } from './power-rules.ts';
import { showButton } from './show-button.ts';

export interface PowerDeps {
  readonly hosting: HostingService;
  readonly past: PastStore;
  readonly isProtected: Protection;
  /** What a power action of several changes in costs, as far as the asker may know. */
  readonly price: (power: Power, instances: readonly Instance[], ask: Ask) => Promise<readonly Phrase[]>;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Timings;
}

const SYNONYMS: Readonly<Record<Power, readonly string[]>> = {
  start: ['boot', 'launch', 'up', 'run', 'resume'],
  stop: ['halt', 'shutdown', 'down', 'pause', 'suspend'],
  restart: ['reboot', 'bounce', 'cycle', 'reload', 'reset'],
};

/** Start, stop or restart: asks first where it is risky. */
export function powerChange(power: Power, deps: PowerDeps & { readonly observer: Observer }): Change {
  const { hosting, observer, timings } = deps;
  const { label, style } = powerButton(power, '');
  return change({
    id: `instances.${power}`,
    verb: power,
    synonyms: SYNONYMS[power],
    permission: 'instances:power',
    usage: '<name or id> [more, filters or a favourite] [--at-once 5] [--because "…"] [--dry-run]',
    summary: `${power} one instance, or several at once`,
    example: `${power} web-1`,
    words: WORDS[power],
    args: z.object({}),
    passes: (instance) => refusePower(power, instance) === undefined,
    look: async (at) => {
      const instance = (await isJustChanged(deps, at.instance))
        ? await readNow(hosting, at.instance)
        : at.instance;
      await refuseUnlessPossible(power, hosting, instance);
      const reason = at.isConfirmed ? undefined : await whyAskFirst(power, deps, at, instance);
      return {
        instance,
        would: { lines: [wouldPower(power, instance, reason)] },
        ...(reason === undefined ? {} : { question: { lines: askFirst(power, instance, reason) } }),
      };
    },
    several: {
      skip: (instance) => whySkipped(power, instance, deps),
      price: (instances, ask) => deps.price(power, instances, ask),
    },
    confirm: { how: 'button', label, ...(style ? { style } : {}) },
    observer,
    send: ({ subject }, options) => hosting.powerInstance(subject.id, power, options),
    rule: {
      judge: (operation, seen, now) => judgePower(power, operation, seen, now, timings),
      judgeRefused: (operation, seen, said) => judgeRefusedPower(power, operation, seen, said),
    },
    ending: (operation, outcome) => powerEnding(power, operation, outcome),
    nextSteps: (operation, outcome) => nextSteps(power, operation, outcome),
  });
}

/** Why an instance is left out of several: what asks first by itself is asked for by itself. */
async function whySkipped(
  power: Power,
  instance: Instance,
  { isProtected, past, clock }: PowerDeps,
): Promise<Phrase | undefined> {
  const refusal = refusePower(power, instance);
  if (refusal !== undefined) return skippedFor(power, instance, refusal);
  if (power === 'start') return undefined;
  if (isProtected(instance)) return say`is protected; ask for it by itself`;
  const times = power === 'restart' ? countRestarts(await past.list(instance.id, clock.now())) : 0;
  return isLoop(times)
    ? say`was restarted ${times} times within a day, which looks like a restart loop; ask for it by itself`
    : undefined;
}

/** What was never answered is looked at first; what failed can be tried again. A press is a request of its own. */
function nextSteps(power: Power, operation: Operation, outcome: Outcome): readonly Button[] {
  const next = nextPower(power, operation, outcome);
  const show = showButton(operation, outcome);
  if (next === undefined) return [show];
  const button = powerNextButton(power, next, operation, outcome);
  return outcome.result === 'unknown' ? [show, button] : [button, show];
}

async function whyAskFirst(
  power: Power,
  { isProtected, past }: PowerDeps,
  { ask, buttonToken }: Pick<LookedAt<Args>, 'ask' | 'buttonToken'>,
  instance: Instance,
): Promise<ReasonToAsk | undefined> {
  return whyAsk(power, {
    isProtected: isProtected(instance),
    past: await past.list(instance.id, ask.askedAt),
    userId: ask.actor.userId,
    now: ask.askedAt,
    pickedTo: buttonToken?.pickedTo,
  });
}

/** Whether an operation ended so lately that the list may still show what was before it. */
async function isJustChanged({ past, clock, timings }: PowerDeps, { id }: Instance): Promise<boolean> {
  const now = clock.now();
  const [latest] = await past.list(id, now);
  return latest !== undefined && now - latest.at < timings.listMayLagMs;
}

/** Throws a Refusal where it is gone. */
async function readNow(hosting: HostingService, listed: Instance): Promise<Instance> {
  const instance = await hosting.findInstance(listed.id);
  if (instance) return instance;
  throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more.`);
}

/** Throws a Refusal where the action is not possible, by the freshest word of the service. */
async function refuseUnlessPossible(power: Power, hosting: HostingService, listed: Instance): Promise<void> {
  if (refusePower(power, listed) === undefined) return;
  const instance = await readNow(hosting, listed);
  const refusal = refusePower(power, instance);
  if (refusal !== undefined) throw new Refusal(refusal, powerRefused(power, instance, refusal));
}
