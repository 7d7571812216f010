import type { Json } from '../json.ts';

/**
 * One thing the bot said to Slack: a Web API call, or with `method` `response_url`, `upload`, `command answer`,
 * `options answer` or `view answer`, something else that Slack may refuse.
 */
export interface ApiCall {
  readonly method: string;
  readonly args: Json;
  /** When it arrived, by the double's clock. */
  readonly at: number;
  /** Undefined while it is on its way. */
  ok: boolean | undefined;
  error: string | undefined;
  answer: Json | undefined;
  /** True when a test asked for this failure. */
  injected: boolean;
}

/** Every call in the order of arrival. */
export class Calls {
  readonly all: ApiCall[] = [];
  readonly #clock: () => number;
  readonly #tell: () => void;

  constructor(clock: () => number, tell: () => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** What Slack refused on its own account, faults asked for by a test left out. */
  get refusals(): ApiCall[] {
    return this.all.filter((call) => call.ok === false && !call.injected);
  }

  begin(method: string, args: Json): ApiCall {
    const call: ApiCall = {
      method,
      args,
      at: this.#clock(),
      ok: undefined,
      error: undefined,
      answer: undefined,
      injected: false,
    };
    this.all.push(call);
    this.#tell();
    return call;
  }

  end(call: ApiCall, answer: Json): void {
    call.answer = answer;
    call.ok = answer['ok'] !== false;
    call.error = typeof answer['error'] === 'string' ? answer['error'] : undefined;
    this.#tell();
  }

  /** Notes an answer of the bot that Slack does not accept. */
  refuse(method: string, args: Json, no: Json): void {
    this.end(this.begin(method, args), no);
  }
}
