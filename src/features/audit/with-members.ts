import { Refusal } from '../../core/refusal.ts';
import { group, say } from '../../platform/slack/phrase.ts';
import type { UserGroups } from '../../platform/slack/user-groups.ts';

const GROUP = /^S(?=[A-Z]*\d)[A-Z0-9]{8,20}$/;

/** The words with each user group as those who are in it now. Throws a Refusal where Slack can't say, or nobody is. */
export async function withMembers(
  { userGroups }: { readonly userGroups: Pick<UserGroups, 'members'> },
  words: readonly string[],
): Promise<readonly string[]> {
  const each = await Promise.all(
    words.map(async (word) => {
      if (!GROUP.test(word)) return [word];
      const members = await userGroups.members(word).catch(() => undefined);
      if (!members)
        throw new Refusal(
          'not-checked',
          say`I couldn't ask Slack who is in ${[group(word)]}. Try again in a minute.`,
        );
      if (members.size === 0) throw new Refusal('bad-argument', say`Nobody is in ${[group(word)]}.`);
      return [...members];
    }),
  );
  return each.flat();
}
