import { string } from '../json.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { objectsOfType, parsedTexts } from './text-objects.ts';

/** Whom a message would notify. */
export interface Pings {
  /** User ids. */
  readonly users: string[];
  /** `here`, `channel`, `everyone`. */
  readonly broadcasts: string[];
  /** Ids of user groups. */
  readonly subteams: string[];
}

/**
 * What a message notifies, on the cautious side: from its text and mrkdwn (also bare `@here` where Slack parses
 * words), and from rich text. A name with a `<!channel>` in it that was not escaped shows here.
 */
export function pings(message: Pick<PostedMessage, 'content'>): Pings {
  const texts = parsedTexts(message.content);
  const inText = (pattern: RegExp): string[] =>
    texts.flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
  const bare = texts
    .filter((one) => one.parsesWords)
    .flatMap(({ text }) =>
      [...text.matchAll(/(?<![\w<])@(here|channel|everyone)\b/g)].map((match) => match[1] ?? ''),
    );
  const named = objectsOfType(message.content.blocks, ['user']).flatMap(
    (leaf) => string(leaf['user_id']) ?? [],
  );
  return {
    users: unique([...inText(/<@([UW]\w+)(?:\|[^>]*)?>/g), ...named]),
    broadcasts: unique([...inText(/<!(here|channel|everyone)(?:\|[^>]*)?>/g), ...bare]),
    subteams: unique(inText(/<!subteam\^(\w+)(?:\|[^>]*)?>/g)),
  };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
