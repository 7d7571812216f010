import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

/** Who has paused their notifications, as Slack tells. */
export interface Snoozes {
  /** Those of some people, at most fifty, whom no mention reaches now. Throws when Slack can't say, or has no scope for it. */
  among(userIds: readonly string[]): Promise<ReadonlySet<string>>;
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

export function createSnoozes(web: WebClient): Snoozes {
  return {
    among: async (userIds) => {
      const { users } = answerSchema.parse(await web.dnd.teamInfo({ users: userIds.join(',') }));
      const nowSeconds = Date.now() / 1_000;
      const isOn = ({ dnd_enabled: isEnabled, next_dnd_start_ts: from, next_dnd_end_ts: to }: DoNotDisturb) =>
        isEnabled && from <= nowSeconds && nowSeconds < to;
      return new Set(Object.entries(users).flatMap(([userId, one]) => (isOn(one) ? [userId] : [])));
    },
  };
}

type DoNotDisturb = z.infer<typeof answerSchema>['users'][string];
