import type { Json } from '../json.ts';

/** Slack's no: `{"ok":false,"error":code}` and whatever stands beside it. */
export class SlackNo extends Error {
  readonly code: string;
  readonly extra: Json;

  constructor(code: string, extra: Json = {}) {
    super(code);
    this.name = 'SlackNo';
    this.code = code;
    this.extra = extra;
  }

  toJson(): Json {
    return { ok: false, error: this.code, ...this.extra };
  }
}
