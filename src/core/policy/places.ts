import type { Examiner } from '../../platform/slack/examiner.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { type Commit, together } from '../records/commit.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Access } from './access.ts';
import type { AccessRule } from './decide.ts';
import type { Permission } from './permissions.ts';

/** What chooses a channel, to be committed with what it is chosen for: what is refused later chooses nothing. */
export interface Choice {
  /** The part of a commit that writes it down, as things stand when it is asked for. */
  choosing(): Promise<Commit<'moved'>>;
  /** The same without the record of channels, for a commit that moves that record itself. */
  using(): Promise<Commit<'moved'>>;
}

/** In which channels the bot may say something without being asked there: none, but for those that somebody chose. */
export interface Places {
  /**
   * What chooses the channel of `ask`, and uses up what allows the rest; undefined where it is chosen already. Throws a Refusal where
   * it may not be said there, and its actor may not choose it.
   */
  allow(ask: Ask, by?: AccessRule): Promise<Choice | undefined>;
  isAllowed(channelId: string): Promise<boolean>;
}

/**
 * `permission`: what it takes to choose a channel; `choosing`: what writes down that it was chosen. `refuseOther` throws a
 * Refusal where nobody can choose another one in Slack.
 */
export function createPlaces({
  access,
  examiner,
  permission,
  isAllowed,
  choosing,
  refuseOther = () => undefined,
}: {
  readonly access: Pick<Access, 'require' | 'using'>;
  readonly examiner: Pick<Examiner, 'channel'>;
  readonly permission: Permission;
  readonly isAllowed: (channelId: string) => Promise<boolean>;
  readonly choosing: (channelId: string) => Promise<Commit<'moved'> | undefined>;
  readonly refuseOther?: () => void;
}): Places {
  return {
    isAllowed,
    allow: async (ask, by) => {
      const { channelId } = ask.place;
      await mustBeOurs(examiner, channelId);
      if (await isAllowed(channelId)) return undefined;
      refuseOther();
      const at = { route: ask.route, operationId: ask.id };
      const rule = await access.require(ask.actor, permission, 'all', at);
      const using = (): Promise<Commit<'moved'>> => access.using([rule, by], ask.id);
      return { using, choosing: async () => together((await choosing(channelId)) ?? {}, await using()) };
    },
  };
}

/**
 * Throws a Refusal where people of another company read a channel, or the bot could not post there. What Slack doesn't let
 * the bot ask is left to the doctor, who says that it can't be known.
 */
async function mustBeOurs(examiner: Pick<Examiner, 'channel'>, channelId: string): Promise<void> {
  if (isDirect(channelId)) return;
  const where = channel(channelId);
  const facts = await examiner.channel(channelId).catch((error: unknown) => {
    if (slackErrorOf(error).dead) return 'not known' as const;
    throw new Refusal(
      'not-checked',
      say`I couldn't check with Slack who reads ${where}, so nothing was changed. Try again in a minute.`,
    );
  });
  if (facts === 'not known') return;
  if (!facts || facts.isArchived)
    throw new Refusal(
      'not-in-channel',
      say`I can't post in ${where}, so nothing was changed. Invite me first.`,
    );
  if (facts.isShared)
    throw new Refusal(
      'shared-channel',
      say`People from another company read ${where} and would see what I post, so nothing was changed. Choose a channel of your own.`,
    );
}
