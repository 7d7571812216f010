import { z } from 'zod';
import type { PostedMessage } from '../sandbox/slack/index.ts';
import type { FaultedKind } from './kinds.ts';

const blocksSchema = z.array(
  z.object({
    elements: z.array(z.object({ type: z.string(), action_id: z.string().optional() })).optional(),
  }),
);

/** Whether a private message is the question of a kind, and not yet the answer. */
export function isQuestion(message: PostedMessage, kind: FaultedKind): boolean {
  // A question that is asked once more answers the yes to the one before it, and so does a refusal, which may have the same button.
  const isAnswer = /has changed since you were shown it|nothing was done|froze everything/.test(message.text);
  if (!kind.confirms || isAnswer) return false;
  const blocks = blocksSchema.parse(message.content.blocks);
  return blocks.some(({ elements }) =>
    elements?.some((one) => one.type === 'button' && one.action_id === (kind.asksBy ?? kind.kind)),
  );
}
