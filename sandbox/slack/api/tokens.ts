import { TEAM } from '../../people.ts';
import { SlackNo } from './refusal.ts';

/** Whom a token speaks for and what it may do. */
export interface Caller {
  readonly kind: 'bot' | 'app' | 'none';
  readonly teamId: string;
  readonly scopes: ReadonlySet<string>;
}

/** The bot scopes when none are given. */
export const SCOPES: readonly string[] = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'dnd:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'usergroups:read',
  'users:read',
  'users:read.email',
];

/** Every token that there is. A revoked one is answered with `token_revoked`, one past its time with `token_expired`. */
export class Tokens {
  readonly #callers = new Map<string, Caller>();
  readonly #revoked = new Set<string>();
  readonly #endsAt = new Map<string, number>();
  readonly #clock: () => number;

  /** `clock` in ms. */
  constructor(botToken: string, appToken: string, scopes: readonly string[], clock: () => number) {
    this.#clock = clock;
    this.#callers.set(botToken, { kind: 'bot', teamId: TEAM.id, scopes: new Set(scopes) });
    this.#callers.set(appToken, { kind: 'app', teamId: TEAM.id, scopes: new Set(['connections:write']) });
  }

  find(token: string): Caller | 'revoked' | 'expired' | undefined {
    if (this.#revoked.has(token)) return 'revoked';
    const endsAt = this.#endsAt.get(token);
    if (endsAt !== undefined && this.#clock() >= endsAt) return 'expired';
    return this.#callers.get(token);
  }

  /** A token that was not there before; with `livesMs`, for so long. */
  issue(token: string, caller: Caller, livesMs: number | undefined): void {
    this.#callers.set(token, caller);
    if (livesMs !== undefined) this.#endsAt.set(token, this.#clock() + livesMs);
  }

  revoke(token: string): void {
    this.#revoked.add(token);
  }

  restore(token: string): void {
    this.#revoked.delete(token);
  }

  setScope(token: string, scope: string, isGranted: boolean): void {
    const caller = this.#callers.get(token);
    if (!caller) throw new Error('there is no such token');
    const others = [...caller.scopes].filter((one) => one !== scope);
    this.#callers.set(token, { ...caller, scopes: new Set(isGranted ? [...others, scope] : others) });
  }
}

/** The no for a token without one of these scopes. */
export function missingScope(needed: readonly string[], caller: Caller): SlackNo {
  return new SlackNo('missing_scope', { needed: needed.join(','), provided: [...caller.scopes].join(',') });
}
