import type { BoardStore } from '../boards/board-store.ts';
import type { Changing } from '../changes/changing.ts';
import type { Feature } from '../intake/route.ts';
import type { RequestStore } from '../intake/request-store.ts';
import type { PastStore } from '../operations/past.ts';
import type { Schedules } from '../schedules/schedule-store.ts';

/**
 * The bot of one account, built once (`src/app/account-bot.ts`) and handed to every feature. A part that touches little of it says what:
 * `Pick<Bot, 'clock' | 'outbox'>`.
 */
export interface Bot extends Changing {
  /** Operations that have ended. */
  readonly past: PastStore;
  readonly requests: RequestStore;
  readonly boardStore: BoardStore;
  readonly schedules: Schedules;
  /** Every feature, once they are built. */
  readonly features: () => readonly Feature[];
}
