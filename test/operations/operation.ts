import type { Instance, Power, Status } from '../../src/platform/hosting/service.ts';
import { newOperation, type Operation, type ObservedState } from '../../src/core/operations/operation.ts';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import type { GapOf } from '../../src/core/operations/poll-times.ts';
import { TIMINGS } from '../../src/core/timings.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);
export const timings = TIMINGS;
/** The pauses between polls where nothing was learned. */
export const gapOf: GapOf = () => timings.pollEveryMs;
export const firstGapMs = { onTheWay: timings.pollEveryMs, unseen: timings.pollEveryMs };

/** An operation as it begins, with what a test wants otherwise. */
export function operation(over: {
  readonly power?: Power;
  readonly status?: string;
  readonly execution?: Partial<Operation['execution']>;
  readonly card?: Partial<Operation['card']>;
  readonly reply?: Partial<Operation['reply']>;
  readonly longMs?: number;
}): Operation {
  const fresh = newOperation(
    {
      id: 'op-1',
      kind: `instances.${over.power ?? 'restart'}`,
      subject: { id: '42', name: 'web-1', status: over.status ?? 'running' },
      actor: { userId: 'U1' },
      place: { channelId: 'C1' },
      because: undefined,
      requestedAt: NOW,
      usuallyMs: undefined,
      longMs: over.longMs,
    },
    NOW,
  );
  return {
    ...fresh,
    execution: { ...fresh.execution, ...over.execution },
    card: { ...fresh.card, ...over.card },
    reply: { ...fresh.reply, ...over.reply },
  };
}

/** A kind of which nothing is sent, and whose operations are polled on, with what a test wants otherwise. */
export function kindWith(over: Partial<OperationKind>): OperationKind {
  return {
    kind: 'instances.restart',
    verb: 'restart',
    permission: 'instances:power',
    observer: { observe: () => Promise.reject(new Error('nothing is looked at')) },
    send: () => Promise.reject(new Error('nothing is sent')),
    judge: () => ({ next: 'poll' }),
    judgeRefused: () => 'under way',
    card: () => ({ lines: [] }),
    ending: () => [],
    nextSteps: () => [],
    doing: 'changing',
    ...over,
  };
}

export function observed(
  status: Status | 'unknown' | 'gone',
  over: Partial<ObservedState> = {},
): ObservedState {
  return { status, word: status, at: NOW, ...over };
}

export function instance(status: Status | 'unknown', can: Instance['can'] = {}): Instance {
  return { id: '42', name: 'web-1', status, statusWord: status, can };
}
