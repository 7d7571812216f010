import { Refusal } from '../../src/core/refusal.ts';
import { toText } from '../../src/platform/slack/phrase.ts';

/** In which words this is refused; throws where it isn't. */
export function refusedBy(act: () => unknown): string {
  let came: unknown;
  try {
    came = act();
  } catch (error) {
    if (error instanceof Refusal) return error.answer.lines.map(toText).join('\n');
    throw error;
  }
  throw new Error(`understood as ${JSON.stringify(came)}`);
}
