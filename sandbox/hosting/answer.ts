import { dress } from './dress.ts';
import type { Sent } from './engine.ts';
import { errorBody } from './error-answer.ts';
import { limitHeaders, retryAfterHeader } from './limit-headers.ts';
import type { Outcome, WireRecord } from './outcome.ts';
import { type Asked, contractPage, type Page, variantPage } from './paging.ts';
import type { Allowance } from './rate-limit.ts';
import type { Variant } from './variant.ts';

type Answer = Exclude<Sent, 'reset'>;

/** Gives an outcome its wire shape: the contract's, or a variant's. The only place that knows variants. */
export function writeAnswer(
  outcome: Outcome,
  asked: Asked,
  allowance: Allowance,
  now: number,
  variant: Variant,
): Answer {
  const limits = limitHeaders(allowance, now, variant);
  if (outcome.kind === 'error') {
    const { type, body } = errorBody(outcome, outcome.errors ?? variant.errors ?? 'object');
    const retryAfter = retryAfterHeader(outcome.retryAfterSeconds, now, variant);
    return { status: outcome.status, headers: { ...limits, ...retryAfter, 'Content-Type': type }, body };
  }
  const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
    status,
    headers: { ...limits, ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });
  switch (outcome.kind) {
    case 'list': {
      const page = pageOf(outcome, asked, variant);
      return json(page.status ?? 200, listEnvelope(outcome.of, page, variant), page.headers);
    }
    case 'one':
      return json(outcome.status, oneEnvelope(outcome.of, dress(outcome.record, variant), variant));
    case 'verbatim': {
      const { status, body } = outcome;
      return { status, headers: { ...limits, 'Content-Type': 'application/json' }, body };
    }
    case 'changed':
      return changeAnswer(outcome.change, dress(outcome.record, variant), variant, limits, json);
  }
}

// Cut before it is dressed: of a hundred thousand transactions only one page is made.
function pageOf(outcome: Extract<Outcome, { kind: 'list' }>, asked: Asked, variant: Variant): Page {
  const page = cutOf(outcome, asked, variant);
  return { ...page, items: page.items.map((each) => dress(each, variant)) };
}

function cutOf({ of, items }: Extract<Outcome, { kind: 'list' }>, asked: Asked, variant: Variant): Page {
  if (variant.paging !== undefined) return variantPage(items, variant.paging, asked);
  if (of === 'transactions') return contractPage(items, asked.query);
  return { items: items.slice(0, items.length), envelope: {}, headers: {} };
}

function listEnvelope(of: string, { items, envelope }: Page, variant: Variant): unknown {
  const shape = variant.list ?? 'data';
  if (shape === 'bare') return items;
  if (shape === 'items') return { items, ...envelope };
  if (shape === 'data' || of !== 'instances') return { data: items, ...envelope };
  return shape === 'data.instances'
    ? { data: { instances: items }, ...envelope }
    : { [shape]: items, ...envelope };
}

function oneEnvelope(of: string, record: WireRecord, variant: Variant): unknown {
  if (variant.one === 'bare') return record;
  if (of !== 'instance') return { data: record };
  if (variant.one === 'instance') return { instance: record };
  return { data: variant.one === 'one-element array' ? [record] : record };
}

function changeAnswer(
  change: string,
  record: WireRecord,
  variant: Variant,
  limits: Readonly<Record<string, string>>,
  json: (status: number, value: unknown) => Answer,
): Answer {
  switch (variant.changes ?? 'record') {
    case 'empty':
      return { status: 204, headers: limits, body: '' };
    case 'empty object':
      return json(202, {});
    case 'action object':
      // Its status is the action's own and says "running" whatever becomes of the instance.
      return json(201, { action: { id: 1, command: change, status: 'running', resource_id: record['id'] } });
    case 'record':
      return json(200, oneEnvelope('instance', record, variant));
  }
}
