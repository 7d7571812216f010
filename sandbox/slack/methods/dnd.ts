import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';

/** Who has paused notifications. */
export const dnd: Methods = {
  'dnd.teamInfo': {
    scopes: ['dnd:read'],
    run({ args, world: { workspace } }) {
      const asked = (textArg(args, 'users') ?? '').split(',');
      const now = Math.floor(Date.now() / 1_000);
      const those = workspace.people.filter(({ id }) => asked.includes(id));
      return {
        users: Object.fromEntries(
          those.map(({ id, isSnoozed = false }) => [
            id,
            {
              dnd_enabled: isSnoozed,
              next_dnd_start_ts: isSnoozed ? now - 60 : 1,
              next_dnd_end_ts: isSnoozed ? now + 3_600 : 1,
            },
          ]),
        ),
      };
    },
  },
};
