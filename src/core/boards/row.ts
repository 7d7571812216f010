import { z } from 'zod';
import { type Button, buttonSchema } from '../../platform/slack/message.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';

/** How far an operation has come, in the order in which a board shows its rows: what needs somebody comes first. */
export const ROW_STATES = ['failed', 'unknown', 'asked', 'running', 'waiting', 'canceled', 'done'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Whether a row of this state is the last one of its operation. */
export function isFinal(state: RowState): boolean {
  return state !== 'running' && state !== 'waiting';
}

/** What stands above the rows of a batch, and speaks for all of them. */
const headerSchema = z.object({
  lines: z.array(phraseSchema),
  note: phraseSchema,
  buttons: z.array(buttonSchema),
});

/**
 * What a row of a batch's board is: ahead, of what has not begun and may never begin; child, of an operation whose end the
 * header tells. Rows of other boards tell their own ends.
 */
const OF_BATCH = ['ahead', 'child'] as const;

/** What a board says of one operation. Made from its record alone. */
export const rowSchema = z.object({
  state: z.enum(ROW_STATES),
  /** Its topic as short as it can be named. */
  name: z.string(),
  /** What the board says of it. */
  says: phraseSchema,
  /** Once it has ended: the line of the reply, which mentions everybody who waits for it. */
  reply: phraseSchema.optional(),
  /** Nobody is to be told by a reply, as long as the board itself says the end. */
  isQuiet: z.literal(true).optional(),
  /** What can be done next. */
  steps: z.array(buttonSchema),
  /** When it began or ended, Unix ms. */
  at: z.number(),
  ofBatch: z.enum(OF_BATCH).optional(),
  header: headerSchema.optional(),
});

export interface Row {
  readonly state: RowState;
  readonly name: string;
  readonly says: Phrase;
  readonly reply?: Phrase;
  readonly isQuiet?: true;
  readonly steps: readonly Button[];
  readonly at: number;
  readonly ofBatch?: (typeof OF_BATCH)[number];
  readonly header?: {
    readonly lines: readonly Phrase[];
    readonly note: Phrase;
    readonly buttons: readonly Button[];
  };
}

/** What was done with a row, each once. */
export const MARKS = ['shown', 'fault', 'reported'] as const;
/**
 * shown: it stood in Slack, and its operation knows where · fault: its operation knows that Slack doesn't take it ·
 * reported: its end was reported in a reply, or its operation left the board.
 */
export type Mark = (typeof MARKS)[number];

/** One member of a board. */
export interface Member extends Row {
  readonly operationId: string;
  /** The board's revision that says this first. */
  readonly rev: number;
  readonly marks: ReadonlySet<Mark>;
}
