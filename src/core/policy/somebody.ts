import { Refusal } from '../refusal.ts';
import type { People } from '../../platform/slack/people.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Grantee } from './grant.ts';
import { granteeWords } from './messages.ts';
import type { Base } from '../base.ts';

/**
 * Throws a Refusal where Slack knows no such person or user group, or can't say, and where it is a bot or has left. `cannot`: what
 * they can't then, as "have a role"; `undone`: what came of it, as "nothing was changed".
 */
export async function requireSomebody(
  { people, userGroups }: Pick<Base, 'userGroups'> & { readonly people: Pick<People, 'standing'> },
  to: Grantee,
  { cannot, undone }: { readonly cannot: Phrase; readonly undone: Phrase },
): Promise<void> {
  const whom = granteeWords(to);
  const known = 'userId' in to ? people.standing(to.userId, undefined) : userGroups.members(to.groupId, true);
  const standing = await known.catch(() => {
    throw new Refusal(
      'not-checked',
      say`I couldn't look up ${whom} with Slack, so ${undone}. Try again in a minute, or mention someone else.`,
    );
  });
  if (standing === 'bot' || standing === 'deactivated')
    throw new Refusal(
      'nobody',
      say`${whom} is ${standing === 'bot' ? 'a bot' : 'deactivated'}, so they can't ${cannot}.`,
    );
}
