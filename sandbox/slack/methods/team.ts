import { BOT, TEAM } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';

/** The workspace and its bots. */
export const team: Methods = {
  'team.info': { scopes: ['team:read'], run: () => ({ team: { ...TEAM } }) },
  'bots.info': {
    scopes: ['users:read'],
    run({ args }) {
      if ((textArg(args, 'bot') ?? BOT.botId) !== BOT.botId) throw new SlackNo('bot_not_found');
      return {
        bot: { id: BOT.botId, deleted: false, name: BOT.name, app_id: BOT.appId, user_id: BOT.userId },
      };
    },
  },
};
