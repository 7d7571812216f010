import type { Span } from '../../platform/traces/span.ts';
import { operationSpan, referenceOf, requestOf, requestSpan } from '../spans.ts';
import type { Batch } from './batch.ts';

/** A batch that is closed, and what asked for it; its operations tell their own. One of a schedule was asked for by nobody. Pure. */
export function spansOfBatch({
  id,
  kind,
  askedAt,
  requestedAt,
  endedAt = requestedAt,
  items,
}: Batch): readonly Span[] {
  const isAsked = askedAt !== undefined;
  return [
    ...(isAsked ? [requestOf({ id, route: kind, from: askedAt, to: requestedAt })] : []),
    {
      trace: id,
      id: operationSpan(id),
      under: isAsked ? requestSpan(id) : undefined,
      name: `batch ${kind}`,
      kind: 'does',
      from: requestedAt,
      to: endedAt,
      attributes: { ...referenceOf(id), 'lamplighter.batch.size': items.length },
    },
  ];
}
