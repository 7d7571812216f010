import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import type { Caller } from './tokens.ts';

/** A call that passed authentication. */
export interface MethodCall {
  readonly args: Json;
  readonly caller: Caller;
  /** The token itself; empty for a method that takes none. */
  readonly token: string;
  readonly world: World;
}

/**
 * One Web API method. `token`: whose it takes, the bot's when left out. `scopes`: one of them is needed. It returns the answer without `ok`, or throws SlackNo.
 */
interface Method {
  readonly token?: 'bot' | 'app' | 'none';
  readonly scopes?: readonly string[];
  readonly run: (call: MethodCall) => Json;
}

/** The methods of a family, by full name. */
export type Methods = Readonly<Record<string, Method>>;
