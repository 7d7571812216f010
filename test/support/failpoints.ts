import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { DeliveryFault, UNKNOWN_OUTCOME } from '../../src/platform/courier.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';

/** How a part is let go of, and what gives a function at once: nothing that the bot waits for. */
const NOT_ON_THE_ROAD = new Set(['close', 'metrics', 'findActions']);

/** What can happen to a bot at one of its awaits. */
export const INJECTIONS = ['crash', 'answer lost', 'pause'] as const;
export type Injection = (typeof INJECTIONS)[number];

/** The awaits of one bot, by name, and what happens at one of them. */
export interface Failpoints {
  readonly faultPoints: FaultPoints;
  /** Every await passed so far: `operations.change 2` is the second of its name. */
  readonly passed: readonly string[];
  /** Resolves when the bot reaches the point and is interrupted there. */
  readonly injected: Promise<void>;
  /** Lets a paused bot go on. */
  resume(): void;
}

/**
 * No injection without a `point`; it happens after the call was made and before its answer is seen. A call that was not made
 * after all, as on a busy machine, leaves it to the next of its name.
 */
export function createFailpoints(at?: { readonly point: string; readonly inject: Injection }): Failpoints {
  const [, nameToStrike, from] = /^(.+) (\d+)$/.exec(at?.point ?? '') ?? [];
  let isStruck = false;
  const passed: string[] = [];
  const counts = new Map<string, number>();
  let onStruck: () => void = () => undefined;
  const injected = new Promise<void>((resolve) => {
    onStruck = resolve;
  });
  let onResume: () => void = () => undefined;
  const resumed = new Promise<void>((resolve) => {
    onResume = resolve;
  });
  let state: 'well' | 'gone' | 'paused' = 'well';
  const stand = async (): Promise<void> => {
    // Nothing of a process that is gone ever goes on.
    if (state === 'gone') await new Promise(() => undefined);
    if (state === 'paused') await resumed;
  };

  const pass = async (part: string, method: string, call: () => unknown): Promise<unknown> => {
    const name = `${part}.${method}`;
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    passed.push(`${name} ${nth}`);
    // What leaves for Slack is checked and sent in one go, so that a process stands still before both or after both.
    if (state !== 'paused' || part !== 'messenger') await stand();
    const answer = await call();
    if (at && !isStruck && name === nameToStrike && nth >= Number(from)) {
      isStruck = true;
      if (at.inject === 'crash') state = 'gone';
      if (at.inject === 'pause') state = 'paused';
      onStruck();
      if (at.inject === 'answer lost') throw lostAnswerOf(part);
    }
    await stand();
    return answer;
  };

  return {
    faultPoints: (part, target) =>
      new Proxy(target, {
        get: (one, method, receiver) => {
          const value: unknown = Reflect.get(one, method, receiver);
          if (typeof value !== 'function' || typeof method !== 'string' || NOT_ON_THE_ROAD.has(method))
            return value;
          return (...args: unknown[]) => pass(part, method, () => Reflect.apply(value, one, args));
        },
      }),
    passed,
    injected,
    resume: () => {
      state = 'well';
      onResume();
    },
  };
}

/** How a lost answer looks to the code that asked this part of the bot. */
function lostAnswerOf(part: string): Error {
  if (part === 'hosting') {
    return new HostingError('asking', { fault: 'no-answer', outcome: 'unknown', retryable: true });
  }
  if (part === 'messenger' || part === 'responder' || part === 'uploads')
    return new SlackError('unreachable', { outcome: 'unknown' });
  if (part === 'webhook' || part === 'mail')
    return new DeliveryFault(UNKNOWN_OUTCOME, { outcome: 'unknown' });
  return new Error('Connection is closed.');
}
