import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { writeAnswer, type Answer } from './answer.ts';
import type { Behavior, Fault } from './behavior.ts';
import { record, type RecordedCall } from './calls.ts';
import type { Account } from './account.ts';
import type { Company } from './company.ts';
import type { Interventions } from './interventions.ts';
import { badFields, notFound, type ErrorOutcome, type Outcome } from './outcome.ts';
import type { Allowance } from './rate-limit.ts';
import type { Instance } from './instance.ts';
import { findRoute, readBody, readKey, splitTarget } from './request.ts';
import type { Route } from './routes.ts';
import type { Change } from './status.ts';
import type { Variant } from './variant.ts';

/** What every exchange needs. */
export interface Desk {
  readonly company: Company;
  readonly interventions: Interventions;
  /** What goes wrong of its own accord; asked for every call that nobody else makes fail. */
  readonly weather: (call: RecordedCall) => Fault | undefined;
  /** The time that no billing clock hurries: what the rate limit goes by, and when a call came. */
  readonly clock: () => number;
  readonly takeFromBudget: (key: string, now: number) => Allowance;
  readonly variant: Variant;
  readonly calls: RecordedCall[];
  readonly announceCall: (call: RecordedCall) => void;
}

/**
 * Takes one request from its arrival to its answer, or to the cut of its connection. Rejects when
 * `stopping` aborts during a slow answer, so that none outlives the sandbox.
 */
export async function exchange(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  const { path, query } = splitTarget(request.url ?? '/');
  const account = desk.company.findByKey(readKey(request, desk.variant) ?? '');
  const now = desk.clock();
  const call: RecordedCall = {
    method: request.method ?? 'GET',
    path,
    query,
    at: now,
    keyName: account?.name ?? null,
    status: 'pending',
    hadEffect: false,
  };
  record(desk.calls, call);
  // Wrong keys share one budget: a client that tries keys runs into it.
  const allowance = desk.takeFromBudget(account?.name ?? '', now);
  const outcome = await decide(desk, request, call, account, allowance, stopping).catch((error: unknown) => {
    call.status = 'reset';
    throw error;
  });
  if (outcome === 'reset' || response.destroyed) {
    call.status = 'reset';
    request.socket.resetAndDestroy();
  } else {
    const asked = {
      origin: `http://${request.headers.host ?? '127.0.0.1'}`,
      path,
      query: new URLSearchParams(query),
      range: request.headers.range,
    };
    const shown = allowanceFor(outcome, allowance, now);
    const answer = writeAnswer(outcome, asked, shown, desk.clock(), desk.variant);
    call.status = answer.status;
    send(request, response, answer);
  }
  desk.announceCall(call);
}

async function decide(
  desk: Desk,
  request: IncomingMessage,
  call: RecordedCall,
  account: Account | undefined,
  allowance: Allowance,
  stopping: AbortSignal,
): Promise<Outcome | 'reset'> {
  if (allowance.exceeded) return tooMany(allowance.retryAfterSeconds);
  if (account === undefined) return { kind: 'error', status: 401, message: 'Invalid or missing API key' };
  // Read before anybody may hold it: a caller that gives up then takes its body along.
  const input = await readBody(request);
  if ((await desk.interventions.pass(call, 'before')) === 'drop') return 'reset';
  const outcome = await act(desk, input, call, account, stopping);
  if ((await desk.interventions.pass(call, 'after')) === 'drop') return 'reset';
  return outcome;
}

async function act(
  desk: Desk,
  input: Awaited<ReturnType<typeof readBody>>,
  call: RecordedCall,
  account: Account,
  stopping: AbortSignal,
): Promise<Outcome | 'reset'> {
  const { company, interventions, variant } = desk;
  const route = findRoute(call.method, call.path, variant);
  const found = account.hasBilling || !call.path.includes('/billing/') ? route : undefined;
  company.settle();
  const instance = found === undefined ? undefined : instanceOf(found.route, found.id, account);
  if (instance) call.instanceId = instance.id;
  const fault =
    interventions.takeFault(call) ??
    (instance && takeFault(instance, instance.behavior, found?.route.change)) ??
    (found?.route.shows === 'balance' ? account.balanceFault : undefined) ??
    desk.weather(call);
  const delayMs = (instance?.behavior.answerDelayMs ?? 0) + (fault?.delayMs ?? 0);

  let outcome: Outcome = notFound('No such path');
  if (found !== undefined && 'unreadable' in input) outcome = badFields({ body: input.unreadable });
  else if (found !== undefined && 'body' in input && (fault === undefined || fault.done)) {
    const { pace, nextAddonId } = company;
    const now = company.now();
    outcome = found.route.run({ account, id: found.id, body: input.body, now, pace, nextAddonId });
    call.hadEffect = call.method !== 'GET' && outcome.kind !== 'error';
  }
  if (delayMs > 0) await delay(delayMs, undefined, { ref: false, signal: stopping });
  return fault === undefined ? outcome : faultOutcome(fault, outcome);
}

/** Whose behavior counts: the path's instance, or the one that the path's add-on is attached to. */
function instanceOf(route: Route, id: number | null, account: Account): Instance | undefined {
  if (id === null || route.of === 'account') return undefined;
  return account.instances.get(route.of === 'instance' ? id : (account.addons.get(id)?.instanceId ?? 0));
}

function takeFault(
  counter: { faultsTaken: number },
  { fault }: Behavior,
  change: Change | undefined,
): Fault | undefined {
  if (fault === undefined || change === undefined || !fault.on.includes(change)) return undefined;
  if (counter.faultsTaken >= fault.times) return undefined;
  counter.faultsTaken += 1;
  return fault;
}

function faultOutcome(fault: Fault, outcome: Outcome): Outcome | 'reset' {
  if (fault.answer === 'as usual') return outcome;
  if (fault.answer === 'reset') return 'reset';
  const { answer: status, retryAfterSeconds, errors, body } = fault;
  if (body !== undefined) return { kind: 'verbatim', status, body };
  return {
    kind: 'error',
    status,
    message: fault.message ?? (status === 429 ? 'Rate limit exceeded' : 'Something went wrong'),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(errors === undefined ? {} : { errors }),
  };
}

function tooMany(retryAfterSeconds: number): ErrorOutcome {
  return { kind: 'error', status: 429, message: 'Rate limit exceeded', retryAfterSeconds };
}

// A 429 that a fault made must not say beside it that there are requests left.
function allowanceFor(outcome: Outcome, allowance: Allowance, now: number): Allowance {
  if (outcome.kind !== 'error' || outcome.status !== 429 || allowance.exceeded) return allowance;
  const resetAt = Math.ceil(now / 1000 + (outcome.retryAfterSeconds ?? 60));
  return { ...allowance, remaining: 0, resetAt };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  // What wasn't read to its end can't be followed by another request on the same connection.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(answer.status, { ...answer.headers });
  response.end(answer.body);
}
