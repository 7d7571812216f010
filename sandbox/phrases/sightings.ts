import { PEOPLE } from '../people.ts';
import type { PostedMessage, SlackDouble } from '../slack/index.ts';
import { normalize } from './normalize.ts';
import { CHANNELS } from '../slack/workspace/standard-channels.ts';

/** One wording of a message of the bot, and where it stands. */
export interface Sighting {
  readonly where: string;
  readonly text: string;
}

/** What the bot has shown, each wording given once. */
export interface Sightings {
  /**
   * What is new: of a message its first wording and its present one. Wordings in between come or don't, as luck has
   * it, so they are given only by `find`.
   */
  take(): Sighting[];
  /** The first new wording that contains `words`, after the first one of its message; undefined where there is none. */
  find(words: string): Sighting[] | undefined;
}

interface Place {
  readonly name: string;
  readonly messages: readonly PostedMessage[];
}

/** Watches every channel, every direct message with the bot, and every Home. */
export function watchMessages(slack: SlackDouble): Sightings {
  const homes = watchHomes(slack);
  /** How many wordings of a message were given; a deleted message has one more, which says so. */
  const given = new Map<PostedMessage, number>();
  /** The wording that was given last: an edit that changes only times is luck. */
  const lastText = new Map<PostedMessage, string>();

  const places = (): Place[] => [
    ...CHANNELS.map(({ name }) => ({ name: `#${name}`, messages: slack.channel(`#${name}`).history })),
    ...PEOPLE.filter(({ isBot }) => isBot !== true).map(({ handle }) => ({
      name: `the direct messages of @${handle}`,
      messages: slack.person(handle).dm.history,
    })),
  ];

  const sight = (message: PostedMessage, { name }: Place, version: number): Sighting => {
    const only = message.ephemeralFor;
    const kind = message.isReply ? `a thread of ${name}` : name;
    const alone = only === undefined ? '' : `, seen by @${slack.person(only).handle} alone`;
    const text = version > message.edits.length ? '(deleted)' : normalize(slack.read(message, version));
    return { where: `In ${kind}${alone}${version > 0 ? ', edited' : ''}:`, text };
  };

  const isNew = (message: PostedMessage, { text }: Sighting): boolean => {
    const before = lastText.get(message);
    lastText.set(message, text);
    return before !== text;
  };

  const versionsOf = (message: PostedMessage): number => message.edits.length + (message.deleted ? 2 : 1);

  return {
    take: () =>
      places().flatMap((place) =>
        inOrder(place.messages).flatMap((message) => {
          const before = given.get(message) ?? 0;
          const now = versionsOf(message);
          given.set(message, now);
          if (before === now) return [];
          const first = before === 0 ? [0] : [];
          const versions = now - 1 === first[0] ? first : [...first, now - 1];
          return versions
            .map((version) => sight(message, place, version))
            .filter((one) => isNew(message, one));
        }),
      ),
    find: (words) => {
      const home = homes(words);
      if (home) return [home];
      for (const place of places())
        for (const message of inOrder(place.messages)) {
          const before = given.get(message) ?? 0;
          for (let version = before; version <= message.edits.length; version += 1) {
            if (!slack.read(message, version).includes(words)) continue;
            given.set(message, version + 1);
            return [...(before === 0 && version > 0 ? [0] : []), version]
              .map((one) => sight(message, place, one))
              .filter((one) => isNew(message, one));
          }
        }
      return undefined;
    },
  };
}

/** Gives the first Home that says `words` and was not given like that; what it says in between comes or doesn't, as luck has it. */
function watchHomes(slack: SlackDouble): (words: string) => Sighting | undefined {
  const given = new Map<string, string>();
  return (words) => {
    for (const { handle } of PEOPLE) {
      const { home } = slack.person(handle);
      const text = home && normalize(slack.readView(home));
      if (text === undefined || text === given.get(handle) || !text.includes(words)) continue;
      given.set(handle, text);
      return { where: `In the Home of @${handle}:`, text };
    }
    return undefined;
  };
}

/** The bot's messages, what everybody sees before what one person sees. */
function inOrder(messages: readonly PostedMessage[]): PostedMessage[] {
  const rank = ({ ephemeralFor }: PostedMessage): string => ephemeralFor ?? '';
  return messages
    .filter(({ bot_id: botId }) => botId !== undefined)
    .toSorted((one, other) => rank(one).localeCompare(rank(other)) || one.ts.localeCompare(other.ts));
}
