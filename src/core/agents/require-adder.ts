import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { People } from '../../platform/slack/people.ts';
import { say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import type { Caller } from './tool.ts';

/** Throws a Refusal where who added an agent, and may have its token, has left, or Slack can't say whether they have. */
export async function requireAdder(
  people: Pick<People, 'standing'>,
  { addedBy }: Pick<Caller, 'addedBy'>,
): Promise<void> {
  if (addedBy === undefined) return;
  const standing = await people.standing(addedBy, undefined).catch((error: unknown) => {
    if (slackErrorOf(error).code === 'user_not_found') return 'deactivated';
    throw new Refusal(
      'not-checked',
      say`I couldn't check with Slack whether the person who added this agent is still here. Try again in a minute.`,
    );
  });
  if (standing === 'deactivated')
    throw new Refusal(
      'no-right',
      say`The person who added this agent has left. An admin can revoke it and add it again.`,
    );
}
