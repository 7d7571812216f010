import type { Commit } from '../records/commit.ts';
import type { Narrowing } from './narrow.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

/** By whom what somebody holds is ended, when (Redis' clock, Unix ms), and by which request. */
export interface EndedBy {
  readonly by: string;
  readonly at: number;
  readonly requestId: string;
}

/** One thing that somebody holds, or that goes on in their name. */
export interface Holding {
  readonly userId: string;
  /** What it is, as people read it: the same as long as it is the same. */
  readonly line: Phrase;
  /** Why it stays where all that they hold is taken back, and what can be done by hand; undefined where it ends. */
  readonly stays?: Phrase;
  /** The agent that it is, where they added it: it goes on without the role by which they did. */
  readonly addedAgent?: Narrowing & { readonly name: string };
  /** The part of a commit that ends it, or nothing where it has ended. Without it, it stays, or ends with the person's roles. */
  readonly end?: (how: EndedBy) => Promise<Commit<'moved'> | undefined>;
}

/** One line of what somebody holds, with why it stays where it does. Pure. */
export function lineOf({ line, stays }: Pick<Holding, 'line' | 'stays'>): Phrase {
  return stays ? say`${line} ${stays}` : line;
}

/** All that anybody holds, of one kind or of several. */
export type Holdings = () => Promise<readonly Holding[]>;
