import type { Batches } from '../batches/batches.ts';
import type { BoardStore } from '../boards/board-store.ts';
import type { Feature } from '../intake/feature.ts';
import type { RequestStore } from '../intake/request-store.ts';
import type { Operations } from '../operations/operations.ts';
import type { PastStore } from '../operations/recent-store.ts';
import type { WaysBack } from '../operations/way-back.ts';
import type { Parts } from '../parts/parts.ts';
import type { Schedules } from '../schedules/schedules.ts';

/**
 * The bot of one account, built once (`src/app/account-bot.ts`) and handed to every feature. A part that touches little of it says what:
 * `Pick<Bot, 'clock' | 'outbox'>`.
 */
export interface Bot extends Parts {
  readonly operations: Operations;
  /** Operations that have ended. */
  readonly past: PastStore;
  readonly requests: RequestStore;
  readonly batches: Batches;
  readonly boardStore: BoardStore;
  readonly schedules: Schedules;
  readonly waysBack: WaysBack;
  /** Every feature, once they are built. */
  readonly features: () => readonly Feature[];
}
