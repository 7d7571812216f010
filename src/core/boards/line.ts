import { z } from 'zod';
import { type Button, buttonSchema } from '../../platform/slack/message.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';

/** How far an operation has come, in the order in which a board shows its lines: what needs somebody comes first. */
export const LINE_STATES = ['failed', 'unknown', 'asked', 'running', 'waiting', 'cancelled', 'done'] as const;
export type LineState = (typeof LINE_STATES)[number];

/** Whether a line of this state is the last one of its operation. */
export function isFinal(state: LineState): boolean {
  return state !== 'running' && state !== 'waiting';
}

/** What stands above the lines of a batch, and speaks for all of them. */
const headSchema = z.object({
  lines: z.array(phraseSchema),
  note: phraseSchema,
  buttons: z.array(buttonSchema),
});

/**
 * What a line of a batch's board is: ahead, of what has not begun and may never begin; child, of an operation whose end the
 * head tells. Lines of other boards tell their own ends.
 */
const OF_BATCH = ['ahead', 'child'] as const;

/** What a board says of one operation. Made from its record alone. */
export const lineSchema = z.object({
  state: z.enum(LINE_STATES),
  /** Its topic as short as it can be named. */
  name: z.string(),
  /** The line of the board. */
  says: phraseSchema,
  /** Once it has ended: the line of the reply, which mentions everybody who waits for it. */
  reply: phraseSchema.optional(),
  /** What can be done next. */
  steps: z.array(buttonSchema),
  /** When it began or ended, Unix ms. */
  at: z.number(),
  ofBatch: z.enum(OF_BATCH).optional(),
  head: headSchema.optional(),
});

export interface Line {
  readonly state: LineState;
  readonly name: string;
  readonly says: Phrase;
  readonly reply?: Phrase;
  readonly steps: readonly Button[];
  readonly at: number;
  readonly ofBatch?: (typeof OF_BATCH)[number];
  readonly head?: {
    readonly lines: readonly Phrase[];
    readonly note: Phrase;
    readonly buttons: readonly Button[];
  };
}

/** What was done with a line, each once. */
export const MARKS = ['shown', 'fault', 'reported'] as const;
/**
 * shown: it stood in Slack, and its operation knows where · fault: its operation knows that Slack doesn't take it ·
 * reported: its end was reported in a reply, or its operation left the board.
 */
export type Mark = (typeof MARKS)[number];

/** One member of a board. */
export interface Member extends Line {
  readonly operationId: string;
  /** The board's revision that says this first. */
  readonly rev: number;
  readonly marks: ReadonlySet<Mark>;
}
