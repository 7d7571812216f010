import { z } from 'zod';
import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { parseJson } from '../json.ts';
import { text } from '../limits/texts.ts';
import { visibleChannel } from './where.ts';

const MOST_PROMPTS = 4;
const prompts = z.array(z.looseObject({ title: text(3000), message: text(3000) })).max(MOST_PROMPTS);

/** What an app with an agent view offers people to say to it. */
export const assistant: Methods = {
  'assistant.threads.setSuggestedPrompts': {
    scopes: ['assistant:write'],
    run(call) {
      const { args } = call;
      const channelId = textArg(args, 'channel_id') ?? '';
      const channel = visibleChannel({ ...call, args: { channel: channelId } });
      if (channel.kind !== 'im') throw new SlackNo('channel_not_found');
      const given = prompts.safeParse(parseJson(textArg(args, 'prompts') ?? ''));
      if (!given.success) throw new SlackNo('invalid_arguments');
      channel.prompts = given.data;
      return {};
    },
  },
};
