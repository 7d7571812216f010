import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { writeAnswer } from './answer.ts';
import type { Behavior, Fault } from './behavior.ts';
import { idsIn, type RecordedCall } from './calls.ts';
import type { Company } from './company.ts';
import type { Received, Sent } from './engine.ts';
import type { Instance } from './instance.ts';
import { badFields, notFound, type ErrorOutcome, type Outcome } from './outcome.ts';
import type { Allowance } from './rate-limit.ts';
import { type Route, routes, routesBeyondTheContract } from './routes.ts';
import type { Change } from './status.ts';
import type { Variant } from './variant.ts';

/** What every exchange needs. */
export interface Desk {
  readonly company: Company;
  /** What goes wrong of its own accord; asked for every call that nobody else makes fail. */
  readonly weather: (call: RecordedCall) => Fault | undefined;
  /** The time that no billing clock hurries: what the rate limit goes by. */
  readonly clock: () => number;
  readonly takeFromBudget: (key: string, now: number) => Allowance;
  readonly variant: Variant;
}

/** Answers one request as the company does. */
export async function exchange(desk: Desk, received: Received<Fault>): Promise<Sent> {
  const { call, headers } = received;
  const account = desk.company.findByKey(readKey(headers, desk.variant) ?? '');
  call.keyName = account?.name ?? null;
  // Wrong keys share one budget: a client that tries keys runs into it.
  const allowance = desk.takeFromBudget(account?.name ?? '', call.at);
  const write = (outcome: Outcome | 'reset'): Sent => {
    if (outcome === 'reset') return 'reset';
    const { path } = call;
    const asked = { origin: received.origin, path, query: received.query, range: headers.range };
    const shown = allowanceFor(outcome, allowance, call.at);
    return writeAnswer(outcome, asked, shown, desk.clock(), desk.variant);
  };
  if (allowance.exceeded) return write(tooMany(allowance.retryAfterSeconds));
  if (account === undefined)
    return write({ kind: 'error', status: 401, message: 'Invalid or missing API key' });
  // Read before anybody may hold it: a caller that gives up then takes its body along.
  const input = await received.read();
  return received.held(async () => write(await act(desk, input, received, account)));
}

async function act(
  { company, variant, weather }: Desk,
  input: Awaited<ReturnType<Received<Fault>['read']>>,
  { call, stopping, takeFault }: Received<Fault>,
  account: Account,
): Promise<Outcome | 'reset'> {
  const route = findRoute(call.method, call.path, variant);
  const found = account.hasBilling || !call.path.includes('/billing/') ? route : undefined;
  company.settle();
  const instance = found === undefined ? undefined : instanceOf(found.route, found.id, account);
  if (instance) call.instanceId = instance.id;
  const fault =
    takeFault() ??
    (instance && faultOf(instance, instance.behavior, found?.route.change)) ??
    (found?.route.shows === 'balance' ? account.balanceFault : undefined) ??
    weather(call);
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

/** The key of a request: what stands after the scheme in the header, or null. */
function readKey(headers: Received<Fault>['headers'], variant: Variant): string | null {
  const { header, scheme } = variant.auth ?? { header: 'authorization', scheme: 'Bearer' };
  const value = headers[header.toLowerCase()];
  if (typeof value !== 'string') return null;
  if (scheme === '') return value;
  const [given, key, ...rest] = value.split(' ');
  return given?.toLowerCase() === scheme.toLowerCase() && rest.length === 0 ? (key ?? null) : null;
}

/** The route of a request and the id in its path: null where no id is, or none that could exist. */
function findRoute(
  method: string,
  path: string,
  variant: Variant,
): { route: Route; id: number | null } | undefined {
  for (const route of [...routes, ...routesBeyondTheContract]) {
    const ids = route.method === method ? idsIn(route.template, path) : undefined;
    const isOffered = variant.addons !== 'absent' || !route.template.includes('/addons');
    if (ids && isOffered) return { route, id: parseId(ids[0] ?? '', variant) };
  }
  return undefined;
}

function parseId(segment: string, { idPrefix = '' }: Variant): number | null {
  const text = decode(segment);
  if (!text.startsWith(idPrefix) || !/^[1-9]\d{0,14}$/.test(text.slice(idPrefix.length))) return null;
  return Number(text.slice(idPrefix.length));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Whose behavior counts: the path's instance, or the one that the path's add-on is attached to. */
function instanceOf(route: Route, id: number | null, account: Account): Instance | undefined {
  if (id === null || route.of === 'account') return undefined;
  return account.instances.get(route.of === 'instance' ? id : (account.addons.get(id)?.instanceId ?? 0));
}

function faultOf(
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
