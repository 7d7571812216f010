import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Asked, Dialect, Meter, Route, Rules } from './dialect.ts';
import type { Fault, Faults, RecordedCall } from './faults.ts';
import type { Fate, Fleet } from './fleet.ts';
import type { Money } from './money.ts';

/** What every exchange needs. */
export interface Desk {
  readonly dialect: Dialect;
  readonly fleet: Fleet;
  readonly faults: Faults;
  readonly meter: Meter;
  readonly rules: Rules;
  readonly token: string;
  readonly calls: RecordedCall[];
  /** Counts the requests. */
  readonly nextNumber: () => number;
  money(): Money;
  /** The fault of a call that no test asked for. */
  readonly weather: (call: RecordedCall) => Fault | undefined;
}

/** An answer as it goes over the wire. */
type Sent = { readonly status: number; readonly text: string; readonly headers: Record<string, string> };

/** Faults that come in place of what was asked for, unless they say otherwise. */
const ALONE: ReadonlySet<Fault['kind']> = new Set(['status', 'reset', 'html']);
/** Enough for any test, and a bound for a demo that runs for days. */
const KEPT_CALLS = 10_000;
const MAX_BODY_BYTES = 65_536;

/** Takes one request from its arrival to its answer, or to the cut of its connection. */
export async function exchange(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
  const call: RecordedCall = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.search.slice(1),
    at: desk.fleet.now(),
    body: undefined,
    status: 'pending',
    hadEffect: false,
  };
  desk.calls.push(call);
  if (desk.calls.length > KEPT_CALLS) desk.calls.shift();
  const input = parseBody(await readText(request));
  if ('body' in input) call.body = input.body;
  const received = { call, url, input, authorization: request.headers.authorization };
  const sent = await decide(desk, received, stopping).catch((error: unknown) => {
    call.status = 'reset';
    throw error;
  });
  if (sent === 'reset' || response.destroyed) {
    call.status = 'reset';
    request.socket.resetAndDestroy();
    return;
  }
  call.status = sent.status;
  response.writeHead(sent.status, sent.headers).end(sent.text);
}

/** What was sent, or the status that refuses it. */
type Input = { readonly body: unknown } | { readonly refused: 400 | 413 };

interface Received {
  readonly call: RecordedCall;
  readonly url: URL;
  readonly input: Input;
  readonly authorization: string | undefined;
}

async function decide(desk: Desk, received: Received, stopping: AbortSignal): Promise<Sent | 'reset'> {
  const { dialect, fleet, meter, token } = desk;
  const { call } = received;
  const headers: Record<string, string> = {
    Date: new Date(fleet.now()).toUTCString(),
    ...dialect.headersOf(desk.nextNumber()),
  };
  const isStranger = received.authorization !== `Bearer ${token}`;
  if (!isStranger || dialect.countsStrangers) {
    const taken = meter.take(fleet.now());
    Object.assign(headers, taken.headers);
    if (taken.refusal) return write(taken.refusal, headers);
  }
  if (isStranger) return write(dialect.refuse(401), headers);
  const fault = desk.faults.take(call) ?? desk.weather(call);
  if (fault?.kind === 'too-many') return write(meter.refuse(fleet.now(), fault.waitSeconds), headers);
  const wait = async (before: boolean): Promise<void> => {
    if (fault?.kind !== 'slow' || (fault.before ?? false) !== before) return;
    const over = new AbortController();
    await Promise.race([fault.until, aborted(stopping, over.signal)]).finally(() => over.abort());
  };
  await wait(true);
  const answer = acts(fault) ? run(desk, received, fateOf(fault)) : undefined;
  await wait(false);
  return spoil(dialect, fault, answer, headers);
}

/** Whether what was asked for is done. */
function acts(fault: Fault | undefined): boolean {
  if (fault === undefined) return true;
  return ('acts' in fault ? fault.acts : undefined) ?? !ALONE.has(fault.kind);
}

function fateOf(fault: Fault | undefined): Fate {
  return { fails: fault?.kind === 'action-fails', changesNothing: fault?.kind === 'never-stops' };
}

function run(desk: Desk, { call, url, input }: Received, fate: Fate): Answer {
  const { dialect, fleet, rules } = desk;
  if ('refused' in input) return dialect.refuse(input.refused);
  const found = findRoute(dialect, call);
  if (found === undefined) return dialect.refuse(404);
  const asked: Asked = {
    fleet,
    rules,
    fate,
    url,
    money: desk.money(),
    ids: found.ids,
    query: url.searchParams,
    body: input.body,
  };
  const before = fleet.actions.length;
  const answer = found.route.run(asked);
  call.hadEffect = fleet.actions.length > before;
  return answer;
}

function findRoute(
  { base, routes }: Dialect,
  { method, path }: RecordedCall,
): { route: Route; ids: readonly string[] } | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    const wanted = `${base}${route.path}`.split('/');
    if (route.method !== method || wanted.length !== segments.length) continue;
    if (!wanted.every((each, index) => each === '{id}' || each === segments[index])) continue;
    return { route, ids: segments.filter((_, index) => wanted[index] === '{id}') };
  }
  return undefined;
}

/** What a fault makes of an answer. */
function spoil(
  dialect: Dialect,
  fault: Fault | undefined,
  answer: Answer | undefined,
  headers: Record<string, string>,
): Sent | 'reset' {
  if (fault?.kind === 'reset' || (fault?.kind === 'action-fails' && fault.isLost)) return 'reset';
  if (fault?.kind === 'html') {
    const status = fault.status ?? 502;
    const text = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>nginx</body></html>`;
    return { status, text, headers: { 'Content-Type': 'text/html' } };
  }
  if (fault?.kind === 'status') {
    return write(dialect.refuse(fault.status, fault.message, fault.code), headers);
  }
  const sent = write(answer ?? dialect.refuse(500), headers);
  if (fault?.kind !== 'malformed') return sent;
  // An answer without a body gets one, so that there is something to break off.
  return { ...sent, status: sent.status === 204 ? 200 : sent.status, text: halfOf(sent.text) };
}

function halfOf(text: string): string {
  return text === '' ? '{"' : text.slice(0, Math.ceil(text.length / 2));
}

function write(answer: Answer, headers: Readonly<Record<string, string>>): Sent {
  const { status, body } = answer;
  if (body === undefined) return { status, text: '', headers: { ...headers, ...answer.headers } };
  const type = { 'Content-Type': 'application/json' };
  return { status, text: JSON.stringify(body), headers: { ...type, ...headers, ...answer.headers } };
}

function parseBody(text: string | undefined): Input {
  if (text === undefined) return { refused: 413 };
  if (text.trim() === '') return { body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    return { body };
  } catch {
    return { refused: 400 };
  }
}

/** The whole body; undefined if it is too large. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Rejects when the cloud is stopped, so that no slow answer outlives it. It is listened for until `over`. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('clouds: stopped'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true, signal: over });
  });
}
