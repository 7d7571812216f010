import type { SentCall } from '../../platform/hosting/service.ts';
import type { Operation } from './operation.ts';

/** An operation tries far fewer times. */
const MOST = 20;

/** The operation with the call that leaves at `at` (Unix ms). Pure. */
export function withCall(operation: Operation, sendId: string, call: SentCall, at: number): Operation {
  return { ...operation, calls: [...(operation.calls ?? []), { sendId, ...call, at }].slice(-MOST) };
}

/** The operation, whose call was answered so at `answeredAt` (Unix ms), or given up. Pure. */
export function withAnswer(
  operation: Operation,
  sendId: string,
  answer: string,
  answeredAt: number,
): Operation {
  const { calls = [] } = operation;
  if (calls.every((one) => one.sendId !== sendId)) return operation;
  return {
    ...operation,
    calls: calls.map((one) => (one.sendId === sendId ? { ...one, answer, answeredAt } : one)),
  };
}

/** The operation without a call that never left. Pure. */
export function withoutCall(operation: Operation, sendId: string): Operation {
  return { ...operation, calls: (operation.calls ?? []).filter((one) => one.sendId !== sendId) };
}
