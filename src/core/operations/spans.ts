import type { Span } from '../../platform/traces/span.ts';
import type { OutboxMessage } from '../outbox/outbox-message.ts';
import type { Operation } from './operation.ts';

/** What somebody asked, among the spans of its trace. Pure. */
export function requestSpan(requestId: string): string {
  return `${requestId} request`;
}

/** What was done of it: an operation, or several as a batch. Pure. */
export function operationSpan(operationId: string): string {
  return `${operationId} operation`;
}

/** A reference as it stands at the foot of a card and in an answer. Pure. */
export function referenceOf(id: string): { readonly 'lamplighter.reference': string } {
  return { 'lamplighter.reference': id.slice(0, 8) };
}

/** What somebody asked, from when it came (Unix ms) until it was answered, or became an operation or a batch. Pure. */
export function requestOf({
  id,
  route,
  from,
  to,
}: {
  readonly id: string;
  readonly route: string;
  readonly from: number;
  readonly to: number;
}): Span {
  return {
    trace: id,
    id: requestSpan(id),
    name: `request ${route}`,
    kind: 'taken',
    from,
    to,
    attributes: { ...referenceOf(id), 'lamplighter.route': route },
  };
}

/** An HTTP status as it is kept of a call. */
const STATUS = /^\d{3}$/;

/**
 * An operation that is closed, as spans, by its record: what was asked, what was done, each call that may have left, and what was
 * posted. So each span is there once, however many processes had a part in it, and however often. Pure.
 */
export function spansOf(operation: Operation): readonly Span[] {
  const {
    id,
    kind,
    batchId,
    requestedAt,
    begunAt = requestedAt,
    outcome,
    calls = [],
    card,
    reply,
  } = operation;
  const trace = batchId ?? id;
  const of = { trace, under: operationSpan(id) };
  const to = outcome?.at ?? operation.closedAt ?? begunAt;
  const isFault = outcome?.result === 'failed' || outcome?.result === 'unknown';
  return [
    // That of a batch is the batch's own.
    ...(batchId === undefined ? [requestOf({ id, route: kind, from: requestedAt, to: begunAt })] : []),
    {
      trace,
      id: operationSpan(id),
      under: batchId === undefined ? requestSpan(id) : operationSpan(batchId),
      name: kind,
      kind: 'does',
      from: begunAt,
      to,
      attributes: {
        ...referenceOf(id),
        'lamplighter.operation.result': outcome?.result,
        'lamplighter.operation.code': outcome?.code,
      },
      fault: isFault ? outcome.code : undefined,
    },
    ...calls.map((call, nth) => ({ ...of, ...callSpan(id, call, nth, to) })),
    ...[...postSpan(id, 'card', card, to), ...postSpan(id, 'reply', reply, to)].map((span) => ({
      ...of,
      ...span,
    })),
  ];
}

type Part = Omit<Span, 'trace' | 'under'>;

function callSpan(
  operationId: string,
  { method, route, at, answer = 'no-answer', answeredAt }: NonNullable<Operation['calls']>[number],
  nth: number,
  endedAt: number,
): Part {
  const status = STATUS.test(answer) ? Number(answer) : undefined;
  return {
    id: `${operationSpan(operationId)} call ${nth + 1}`,
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'asks',
    from: at,
    to: answeredAt ?? endedAt,
    attributes: {
      'http.request.method': method,
      'url.template': route,
      'http.response.status_code': status,
      'http.request.resend_count': nth === 0 ? undefined : nth,
    },
    fault: status !== undefined && status < 400 ? undefined : answer,
  };
}

/** Nothing where it has no message of its own, as on a board. */
function postSpan(
  operationId: string,
  part: 'card' | 'reply',
  { state, postingAt, ts, fault = 'not-posted' }: OutboxMessage,
  endedAt: number,
): readonly Part[] {
  if (postingAt === undefined) return [];
  const stands = state === 'sent';
  return [
    {
      id: `${operationSpan(operationId)} ${part}`,
      name: 'chat.postMessage',
      kind: 'asks',
      from: postingAt,
      // Slack itself says when it stood there.
      to: stands && ts !== undefined ? Number(ts) * 1_000 : endedAt,
      attributes: { 'rpc.method': 'chat.postMessage', 'lamplighter.message': part },
      fault: stands ? undefined : fault,
    },
  ];
}
