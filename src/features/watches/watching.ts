import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { AuditAttempt } from '../../core/intake/route.ts';
import type { WatchStore } from './watch-store.ts';
import type { Member } from './watch.ts';

/** Shows what a verb would do with these, and asks, as for several that are typed. Throws a Refusal. */
type ShowThose = (
  ask: Ask,
  those: { readonly those: readonly Member[]; readonly isForTrouble: true },
  audit: AuditAttempt,
) => Promise<Reply>;

/** The bot as watches have it. */
export interface Watching extends Bot {
  readonly watches: WatchStore;
  readonly startThese: ShowThose;
  readonly restartThese: ShowThose;
}
