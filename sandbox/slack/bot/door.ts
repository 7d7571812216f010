import { type Json, compact } from '../json.ts';
import { sendHttp, type WireAnswer, type WireRequest } from './http-door.ts';
import { signedHeaders } from './sign.ts';
import type { Sockets } from './sockets.ts';

export type PayloadKind = 'slash_commands' | 'interactive' | 'options' | 'events_api';

/** A retry of an event, as Slack marks it. */
export interface Retry {
  readonly num: number;
  readonly reason: string;
}

/** What the bot answered to one request. */
export interface BotAnswer extends WireAnswer {
  readonly requestId: string;
}

interface Sent {
  readonly id: string;
  readonly kind: PayloadKind;
  readonly payload: Json;
  readonly wire: WireRequest | undefined;
}

/** The way to the bot: over a Socket Mode connection if one is open, else signed HTTP. */
export class Door {
  #urls: readonly string[] = [];
  #next = 0;
  readonly sent: Sent[] = [];
  readonly #setup: DoorSetup;

  constructor(setup: DoorSetup) {
    this.#setup = setup;
  }

  /** Delivers a payload and waits for the answer, at most three seconds. */
  async deliver(kind: PayloadKind, payload: Json, retry?: Retry): Promise<BotAnswer> {
    const id = `req-${this.sent.length + 1}`;
    if (this.#setup.sockets.count > 0) {
      this.sent.push({ id, kind, payload, wire: undefined });
      return this.#send(id, () => this.#overSocket(id, kind, payload, retry));
    }
    const wire = this.#sign(kind, payload, retry);
    this.sent.push({ id, kind, payload, wire });
    return this.#send(id, () => sendHttp(wire, this.#setup.deadlineMs));
  }

  /** Sends the same bytes again to where requests go now, signature and time included; over Socket Mode the same envelope. */
  async replay(requestId: string): Promise<BotAnswer> {
    const { wire, kind, payload } = this.#find(requestId);
    if (!wire) return this.#send(requestId, () => this.#overSocket(requestId, kind, payload));
    return this.#send(requestId, () => sendHttp({ ...wire, url: this.url }, this.#setup.deadlineMs));
  }

  /** Repeats an event as Slack does: the same body, a new signature, the retry's number and reason. */
  async retry(requestId: string, num: number, reason: string): Promise<BotAnswer> {
    const { kind, payload } = this.#find(requestId);
    if (kind !== 'events_api') throw new Error(`Slack retries events only, and ${requestId} is of ${kind}`);
    return this.deliver(kind, payload, { num, reason });
  }

  /** Says where HTTP requests go; several addresses are taken in turn. */
  connect(urls: readonly string[]): void {
    this.#urls = urls;
  }

  /** Where the next HTTP request goes; throws when nobody said so. */
  get url(): string {
    const url = this.#urls[this.#next++ % this.#urls.length];
    if (url === undefined) {
      throw new Error('the bot is not connected: slack.connect({ requestUrl }), or start it in Socket Mode');
    }
    return url;
  }

  /** Where Slackbot asks the bot, as the manifest of the app says; throws when nobody said where the bot is. */
  get agentsUrl(): string {
    return new URL('/mcp', this.url).href;
  }

  #find(requestId: string): Sent {
    const sent = this.sent.find((one) => one.id === requestId);
    if (!sent) throw new Error(`no request ${requestId} was sent`);
    return sent;
  }

  #sign(kind: PayloadKind, payload: Json, retry: Retry | undefined): WireRequest {
    const isEvent = kind === 'events_api';
    const body = isEvent ? JSON.stringify(payload) : formOf(kind, payload);
    const headers = {
      // Bolt compares this header letter by letter: no charset.
      'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      // The real time, not the sandbox's: the bot checks it against its own clock.
      ...signedHeaders(this.#setup.signingSecret, Math.floor(Date.now() / 1000), body),
      ...(retry ? { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason } : {}),
    };
    return { url: this.url, headers, body };
  }

  async #overSocket(id: string, kind: PayloadKind, payload: Json, retry?: Retry): Promise<WireAnswer> {
    const envelope = compact({
      envelope_id: id,
      type: kind === 'options' ? 'interactive' : kind,
      accepts_response_payload: kind !== 'events_api',
      payload,
      retry_attempt: retry?.num,
      retry_reason: retry?.reason,
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.#setup.deadlineMs);
    });
    const answer = await Promise.race([this.#setup.sockets.deliver(envelope, id), late]);
    clearTimeout(timer);
    this.#setup.sockets.forget(id);
    if (answer === 'late') return { status: 0, body: '', headers: {}, error: 'operation_timeout' };
    const isEmpty = Object.keys(answer).length === 0;
    return { status: 200, headers: {}, body: isEmpty ? '' : JSON.stringify(answer) };
  }

  async #send(requestId: string, send: () => Promise<WireAnswer>): Promise<BotAnswer> {
    const answer = await send();
    this.#setup.tell();
    return { ...answer, requestId };
  }
}

interface DoorSetup {
  readonly signingSecret: string;
  readonly deadlineMs: number;
  readonly sockets: Sockets;
  readonly tell: () => void;
}

function formOf(kind: PayloadKind, payload: Json): string {
  const fields: [string, string][] =
    kind === 'slash_commands'
      ? Object.entries(payload).map(([name, value]) => [name, String(value)])
      : [['payload', JSON.stringify(payload)]];
  return new URLSearchParams(fields).toString();
}
