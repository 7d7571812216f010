import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';
import { messageBlocks } from '../limits/blocks.ts';
import { rulesAcross } from '../limits/across.ts';
import { brokenRules } from '../limits/faults.ts';
import { records } from '../json.ts';

/** Blocks held against the limits, without a message. Of what Slack takes here, only `blocks`. */
export const blocks: Methods = {
  'blocks.validate': {
    run({ args }) {
      const given = args['blocks'];
      if (!Array.isArray(given)) throw new SlackNo('invalid_arguments');
      const own = brokenRules(messageBlocks, given);
      const broken = own.length > 0 ? own : rulesAcross(records(given));
      if (broken.length === 0) return {};
      const errors = broken.map(({ message, path }) => ({
        pointer: `/${path.map(String).join('/')}`,
        code: 'failed_constraint',
        message,
      }));
      throw new SlackNo('invalid_blocks', { errors });
    },
  },
};
