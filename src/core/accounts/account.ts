import { type Reach, outOfReach } from '../policy/reach.ts';
import { FILTER_FIELDS } from '../instances/filter.ts';

/** One hosting account of several that the bot runs. Everything that the bot keeps of it is kept apart from the others. */
export interface Account extends Reach {
  /** As people type it before a name, and as it stands on everything that is said of it. */
  readonly name: string;
  /** Ids of the channels in which it is meant where none is named. */
  readonly defaultIn: readonly string[];
  /** Ids of the only workspaces that it is for, where the bot works in several; without it, all. */
  readonly workspaces?: readonly string[];
}

/** Who asks for something, and where. `channelId`: undefined where Slack names none. */
export interface Caller {
  readonly userId: string;
  readonly channelId?: string;
}

/** Whether an account can be reached by a person from a place. Pure. */
export function isReachable(account: Account, caller: Caller): boolean {
  return outOfReach(account, caller) === undefined;
}

/** The name of an account: short enough to stand before every id, and no word that a filter begins with. */
const NAME = /^[a-z][a-z0-9-]{0,19}$/;

/** What is wrong with the name of an account; undefined for nothing. Pure. */
export function faultOfName(name: string): string | undefined {
  if (!NAME.test(name)) return 'must be 1 to 20 of a-z, 0-9 and -, and begin with a letter';
  return FILTER_FIELDS.includes(name) ? `must not be ${name}, which a filter begins with` : undefined;
}
