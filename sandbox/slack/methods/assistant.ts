import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { parseJson } from '../json.ts';
import { visibleChannel } from './where.ts';

const MOST_PROMPTS = 4;

/** What an app with an agent view offers people to say to it. */
export const assistant: Methods = {
  'assistant.threads.setSuggestedPrompts': {
    scopes: ['assistant:write'],
    run(call) {
      const { args } = call;
      const channelId = textArg(args, 'channel_id') ?? '';
      if (visibleChannel({ ...call, args: { channel: channelId } }).kind !== 'im')
        throw new SlackNo('channel_not_found');
      const prompts = parseJson(textArg(args, 'prompts') ?? '');
      if (!Array.isArray(prompts) || prompts.length > MOST_PROMPTS) throw new SlackNo('invalid_arguments');
      return {};
    },
  },
};
