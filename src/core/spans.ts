import type { Span } from '../platform/traces/span.ts';

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
