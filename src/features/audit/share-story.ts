import type { Ask } from '../../core/ask/ask.ts';
import { withPeople } from '../../core/intake/with-people.ts';
import type { DeadLetterHandlers } from '../../core/outbox/send-posts.ts';
import type { Choice } from '../../core/policy/places.ts';
import { Refusal, type RefusalCode } from '../../core/refusal.ts';
import { idOf } from '../../platform/id.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { channel, type Phrase, type Piece, plain, say } from '../../platform/slack/phrase.ts';
import { isOfMoney, isPublic, storyOf } from './story.ts';
import { sharedStory, type Told } from './story-messages.ts';
import type { FoundStory } from './tell-story.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Audited } from './words.ts';

/** A story that was shared has reached nobody: who shared it hears it. */
const UNSHARED = 'story.unshared';

/**
 * Shows a story to everybody in the channel: what they read there anyway, and where instances may be spoken of, or its actor may
 * choose that, what is about instances elsewhere. Nobody is shown what is spent, or who may do what, who wasn't before. Gives what
 * is to be said of it. `toldOf`: what is told of a part of what was found. Throws a Refusal where nobody else is there.
 */
export async function shareStory(
  deps: Audited,
  ask: Ask,
  found: FoundStory,
  toldOf: (found: FoundStory) => Promise<Told>,
): Promise<{ readonly isShared: boolean; readonly said: Phrase }> {
  const { channelId, threadTs } = ask.place;
  if (isDirect(channelId))
    throw new Refusal('not-a-place', say`Nobody else reads this direct message. Share it in a channel.`);
  const isHere = ({ entry }: FoundStory['recorded'][number]): boolean =>
    isPublic(entry) && entry.channelId === channelId;
  const isElsewhere = ({ entry }: FoundStory['recorded'][number]): boolean =>
    isPublic(entry) && !isOfMoney(entry);
  const asked = found.recorded.some((one) => !isHere(one) && isElsewhere(one))
    ? await choiceOf(deps, ask)
    : undefined;
  const refused = asked instanceof Refusal ? asked : undefined;
  const choice = asked instanceof Refusal ? undefined : asked;
  const recorded = found.recorded.filter((one) => isHere(one) || (!refused && isElsewhere(one)));
  const lines = storyOf(recorded);
  const said = sharedWords(lines.length, found.recorded.length - recorded.length, refused);
  if (lines.length === 0) return { isShared: false, said };
  const { userId } = ask.actor;
  // The id follows from the request, so that a request carried out twice shows it once.
  await deps.outbox.post(
    {
      id: postOf(ask.id),
      to: { channelId, ...(threadTs === undefined ? {} : { threadTs }) },
      content: await withoutCalls(deps, sharedStory(lines, await toldOf({ ...found, recorded }), userId)),
      isForPlaceAlone: true,
      onDeadLetter: { handler: UNSHARED, id: userId },
    },
    choice?.using,
  );
  return { isShared: true, said };
}

/** Whether a request has shared a story, which hasn't come to nothing since. */
export async function isShared({ outbox }: Pick<Bot, 'outbox'>, requestId: string): Promise<boolean> {
  const standing = await outbox.find(postOf(requestId));
  return standing !== undefined && standing.state !== 'dead-lettered';
}

/** Who shared a story hears that nobody reads it. */
export function storyDeadLetters({ outbox }: Pick<Bot, 'outbox'>): DeadLetterHandlers {
  return {
    [UNSHARED]: async (userId, { id, to }) => {
      const where = 'channelId' in to ? say`in ${channel(to.channelId)}` : say`there`;
      await outbox.post({
        id: idOf(`${id} for its sharer`),
        to: { userId },
        content: {
          lines: [
            say`I couldn't post the story that you shared ${where}, so nobody reads it there. Invite me and share it again, or share it elsewhere.`,
          ],
        },
        isForPlaceAlone: true,
      });
    },
  };
}

/** Why instances elsewhere can't be spoken of in a channel, by the code of the refusal. */
const OF_THE_CHANNEL: Partial<Record<RefusalCode, Phrase>> = {
  'shared-channel': say`People from another company read this channel.`,
  'not-in-channel': say`I can't post in this channel. Invite me first.`,
  'not-checked': say`I couldn't check with Slack whether everyone here may see it. Try again in a minute.`,
};

/** What became of sharing a story: how much of it everybody reads now, and why not the rest. */
function sharedWords(shown: number, left: number, refused: Refusal | undefined): Phrase {
  const why = refused
    ? (OF_THE_CHANNEL[refused.code] ??
      say`This channel doesn't hear of instances elsewhere. An admin can share that.`)
    : say`Not everyone here may see ${shown === 0 ? 'it' : 'the rest'}.`;
  if (shown === 0) return say`Nothing was shared. ${why}`;
  if (left === 0) return say`Shared in this channel.`;
  return say`Shared in this channel, without ${left === 1 ? '1 entry' : `${left} entries`}. ${why}`;
}

/** The id of what is posted for a request. */
function postOf(requestId: string): string {
  return idOf(`story ${requestId}`);
}

/** What lets instances be spoken of in this channel, or why they may not; undefined where nothing has to. */
async function choiceOf({ places }: Audited, ask: Ask): Promise<Choice | Refusal | undefined> {
  try {
    return await places.allow(ask);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The same with people by their names: what is told of them calls none of them. */
async function withoutCalls({ people }: Audited, message: Message): Promise<Message> {
  const { lines, bullets = [] } = message;
  const named = async (piece: Piece): Promise<Piece> =>
    piece.type === 'user'
      ? { type: 'text', text: plain(await withPeople(people, `<@${piece.userId}>`)) }
      : piece;
  const allNamed = (those: readonly Phrase[]): Promise<readonly Phrase[]> =>
    Promise.all(those.map((line) => Promise.all(line.map(named))));
  return { ...message, lines: await allNamed(lines), bullets: await allNamed(bullets) };
}
