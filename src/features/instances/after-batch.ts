import type { Bot } from '../../core/bot/bot.ts';
import { type Batch, leftFor } from '../../core/batches/batch.ts';
import { REST_ROUTE, RETRY_ROUTE } from '../../core/batches/card.ts';
import type { Change } from '../../core/changes/change.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import { say } from '../../platform/slack/phrase.ts';
import { START, START_AGAIN, STOP } from './route-ids.ts';

/** What a button of a batch does. */
type Pressed = (
  ask: Ask,
  found: { readonly batch: Batch; readonly change: Change },
  audit: AuditAttempt,
) => Promise<Reply>;

/** The buttons of a batch that has ended: anybody may press one who may do it with each of those. */
export function afterBatchRoutes(deps: Bot, changes: readonly Change[]): readonly Route[] {
  const routeOf = (id: string, verb: string, summary: string, press: Pressed): Route => ({
    id,
    verb,
    permission: 'instances:power',
    writes: true,
    summary,
    isAskable: false,
    handle: async (ask, audit) => press(ask, await findBatch(deps, changes, ask), audit),
  });
  return [
    routeOf(RETRY_ROUTE, 'retry failed', 'ask once more for what failed', (ask, { batch, change }, audit) =>
      change.retry(deps, ask, batch, audit),
    ),
    routeOf(
      REST_ROUTE,
      'go on with the rest',
      'go on with what was not started',
      (ask, { batch, change }, audit) => change.goOn(deps, ask, batch, audit),
    ),
    routeOf(START_AGAIN, 'start them again', 'start what a batch stopped', async (ask, { batch }, audit) => {
      const start = changes.find(({ id }) => id === START);
      const those = leftFor(batch, 'again');
      if (!start || batch.kind !== STOP || batch.endedAt === undefined || those.length === 0)
        throw new Refusal('over', say`Nothing was stopped there, so there is nothing to start again.`);
      return start.showThose(deps, ask, { those, follows: { what: 'again', batchId: batch.id } }, audit);
    }),
  ];
}

/** The batch that was pressed, and its verb. Throws a Refusal. */
async function findBatch(
  { batches }: Pick<Bot, 'batches'>,
  changes: readonly Change[],
  { value = '', place }: Ask,
): Promise<{ readonly batch: Batch; readonly change: Change }> {
  const batch = await batches.find(value);
  const change = changes.find(({ id }) => id === batch?.kind);
  // An id is no authority: what a channel shows is asked for again there alone.
  if (!batch || !change || batch.place.channelId !== place.channelId)
    throw new Refusal(
      'gone',
      say`I have no record of that any more, so nothing was done. Ask again by name.`,
    );
  return { batch, change };
}
