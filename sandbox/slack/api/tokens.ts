import { TEAM } from '../../people.ts';
import { SlackNo } from './refusal.ts';

/** Whom a token speaks for and what it may do. */
export interface Caller {
  readonly kind: 'bot' | 'app';
  readonly teamId: string;
  readonly scopes: ReadonlySet<string>;
}

/** The bot scopes when none are given. */
export const SCOPES: readonly string[] = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'usergroups:read',
  'users:read',
  'users:read.email',
];

/** The tokens of the one installation. A revoked token is answered with `token_revoked`. */
export class Tokens {
  readonly #callers = new Map<string, Caller>();
  readonly #revoked = new Set<string>();

  constructor(botToken: string, appToken: string, scopes: readonly string[]) {
    this.#callers.set(botToken, { kind: 'bot', teamId: TEAM.id, scopes: new Set(scopes) });
    this.#callers.set(appToken, { kind: 'app', teamId: TEAM.id, scopes: new Set(['connections:write']) });
  }

  find(token: string): Caller | 'revoked' | undefined {
    return this.#revoked.has(token) ? 'revoked' : this.#callers.get(token);
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
