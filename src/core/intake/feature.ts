import type { DeadLetterHandlers, PostGuards } from '../outbox/send-posts.ts';
import type { Job } from '../records/job.ts';
import type { Tool } from '../agents/tool.ts';
import type { Route } from './route.ts';

/** One noun of the bot, in the order in which help shows it. */
export interface Feature {
  readonly noun: string;
  /** What the noun's command without words does. */
  readonly default: string;
  /** The route that words without a verb go to: `/instances web-1`, `/instances status:running`. */
  readonly verbless?: (words: readonly string[]) => string;
  readonly summary: string;
  readonly routes: readonly Route[];
  /** What agents can call. */
  readonly tools?: readonly Tool[];
}

/** What a feature does without being asked. */
export interface Background {
  readonly jobs?: readonly Job[];
  /** What must hold right before its messages go out. */
  readonly guards?: PostGuards;
  /** What it does where one of them reached nobody. */
  readonly deadLetters?: DeadLetterHandlers;
}
