import { idsIn, type RecordedCall } from '../hosting/calls.ts';
import type { Input, Received, Sent } from '../hosting/engine.ts';
import type { Answer, Asked, Dialect, Meter, Rules } from './dialect.ts';
import type { Fault } from './faults.ts';
import type { Fate, Fleet } from './fleet.ts';
import type { Money } from './money.ts';

/** What every exchange needs. */
export interface Desk {
  readonly dialect: Dialect;
  readonly fleet: Fleet;
  readonly meter: Meter;
  readonly rules: Rules;
  readonly token: string;
  /** Counts the requests. */
  readonly nextNumber: () => number;
  money(): Money;
  /** The fault of a call that no test asked for. */
  readonly weather: (call: RecordedCall) => Fault | undefined;
}

/** Faults that come in place of what was asked for, unless they say otherwise. */
const ALONE: ReadonlySet<Fault['kind']> = new Set(['status', 'reset', 'html']);

/** Answers one request as the cloud does. */
export async function exchange(desk: Desk, received: Received<Fault>): Promise<Sent> {
  const { dialect, fleet, meter, token } = desk;
  const { call, stopping } = received;
  const input = await received.read();
  if ('body' in input) call.body = input.body;
  const headers: Record<string, string> = {
    Date: new Date(fleet.now()).toUTCString(),
    ...dialect.headersOf(desk.nextNumber()),
  };
  const isStranger = received.headers.authorization !== `Bearer ${token}`;
  if (!isStranger || dialect.countsStrangers) {
    const taken = meter.take(fleet.now());
    Object.assign(headers, taken.headers);
    if (taken.refusal) return write(taken.refusal, headers);
  }
  if (isStranger) return write(dialect.refuse(401), headers);
  const fault = received.takeFault() ?? desk.weather(call);
  if (fault?.kind === 'too-many') return write(meter.refuse(fleet.now(), fault.waitSeconds), headers);
  const wait = async (before: boolean): Promise<void> => {
    if (fault?.kind !== 'slow' || (fault.before ?? false) !== before) return;
    const over = new AbortController();
    await Promise.race([fault.until, aborted(stopping, over.signal)]).finally(() => over.abort());
  };
  return received.held(async () => {
    await wait(true);
    const answer = acts(fault) ? run(desk, received, input, fateOf(fault)) : undefined;
    await wait(false);
    return spoil(dialect, fault, answer, headers);
  });
}

/** Whether what was asked for is done. */
function acts(fault: Fault | undefined): boolean {
  if (fault === undefined) return true;
  return ('acts' in fault ? fault.acts : undefined) ?? !ALONE.has(fault.kind);
}

function fateOf(fault: Fault | undefined): Fate {
  return { fails: fault?.kind === 'action-fails', changesNothing: fault?.kind === 'never-stops' };
}

function run(desk: Desk, { call, origin, query }: Received<Fault>, input: Input, fate: Fate): Answer {
  const { dialect, fleet, rules } = desk;
  if ('unreadable' in input) return dialect.refuse(input.unreadable === 'is not JSON' ? 400 : 413);
  for (const route of dialect.routes) {
    const ids = route.method === call.method && idsIn(`${dialect.base}${route.path}`, call.path);
    if (!ids) continue;
    const url = new URL(`${origin}${call.path}?${call.query}`);
    const asked: Asked = { fleet, rules, fate, url, money: desk.money(), ids, query, body: input.body };
    const before = fleet.actions.length;
    const answer = route.run(asked);
    call.hadEffect = fleet.actions.length > before;
    return answer;
  }
  return dialect.refuse(404);
}

/** What a fault makes of an answer. */
function spoil(
  dialect: Dialect,
  fault: Fault | undefined,
  answer: Answer | undefined,
  headers: Record<string, string>,
): Sent {
  if (fault?.kind === 'reset' || (fault?.kind === 'action-fails' && fault.isLost)) return 'reset';
  if (fault?.kind === 'html') {
    const status = fault.status ?? 502;
    const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>nginx</body></html>`;
    return { status, body, headers: { 'Content-Type': 'text/html' } };
  }
  if (fault?.kind === 'status') {
    return write(dialect.refuse(fault.status, fault.message, fault.code), headers);
  }
  const sent = write(answer ?? dialect.refuse(500), headers);
  if (fault?.kind !== 'malformed') return sent;
  // An answer without a body gets one, so that there is something to break off.
  return { ...sent, status: sent.status === 204 ? 200 : sent.status, body: halfOf(sent.body) };
}

function halfOf(text: string): string {
  return text === '' ? '{"' : text.slice(0, Math.ceil(text.length / 2));
}

function write(answer: Answer, headers: Readonly<Record<string, string>>): Exclude<Sent, 'reset'> {
  const { status, body } = answer;
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    status,
    body: body === undefined ? '' : JSON.stringify(body),
    headers: { ...type, ...headers, ...answer.headers },
  };
}

/** Rejects when the cloud is stopped, so that no slow answer outlives it. It is listened for until `over`. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('clouds: stopped'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true, signal: over });
  });
}
