import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { BoundedMap } from '../bounded-map.ts';

/** Who has paused their notifications, as Slack tells. */
export interface Snoozes {
  /**
   * Those of some people whom no mention reaches now. `knownMs`: what Slack said so long ago will do. Throws when Slack can't
   * say, or has no scope for it.
   */
  among(userIds: readonly string[], knownMs?: number): Promise<ReadonlySet<string>>;
}

/** https://docs.slack.dev/reference/methods/dnd.teamInfo: times in seconds. A snooze is told as what is on now. */
const answerSchema = z.object({
  users: z.record(
    z.string(),
    z.object({
      dnd_enabled: z.boolean(),
      next_dnd_start_ts: z.number(),
      next_dnd_end_ts: z.number(),
    }),
  ),
});

/** As many as Slack tells of at once. */
const MAX_ASKED = 50;
const MAX_REMEMBERED = 2_000;

/** Remembers in this process alone who was away: Slack takes about twenty such questions a minute (tier 2). */
export function createSnoozes(web: WebClient): Snoozes {
  const known = new BoundedMap<string, { readonly isAway: boolean; readonly at: number }>(MAX_REMEMBERED);
  const ask = async (userIds: readonly string[]): Promise<void> => {
    const { users } = answerSchema.parse(await web.dnd.teamInfo({ users: userIds.join(',') }));
    const nowSeconds = Date.now() / 1_000;
    const isOn = ({ dnd_enabled: isEnabled, next_dnd_start_ts: from, next_dnd_end_ts: to }: DoNotDisturb) =>
      isEnabled && from <= nowSeconds && nowSeconds < to;
    const at = performance.now();
    for (const userId of userIds) {
      const one = users[userId];
      known.set(userId, { isAway: one !== undefined && isOn(one), at });
    }
  };
  return {
    among: async (userIds, knownMs = 0) => {
      const isKnown = (userId: string): boolean => {
        const one = known.get(userId);
        return one !== undefined && performance.now() - one.at < knownMs;
      };
      const unknown = userIds.filter((userId) => !isKnown(userId));
      for (let from = 0; from < unknown.length; from += MAX_ASKED)
        await ask(unknown.slice(from, from + MAX_ASKED));
      return new Set(userIds.filter((userId) => known.get(userId)?.isAway));
    },
  };
}

type DoNotDisturb = z.infer<typeof answerSchema>['users'][string];
