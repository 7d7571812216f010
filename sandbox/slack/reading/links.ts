import { string } from '../json.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import { objectsOfType, parsedTexts } from './text-objects.ts';

/** Something that a person can click and that leads out of Slack. */
export interface Link {
  readonly url: string;
  readonly label: string | undefined;
}

/** The links of a message: written ones, addresses that Slack links by itself, and rich-text links. */
export function links(message: Pick<PostedMessage, 'content'>): Link[] {
  const texts = parsedTexts(message.content);
  const written = texts.flatMap(({ text }) =>
    [...text.matchAll(/<((?:https?|mailto|tel|slack):[^|>]+)(?:\|([^>]*))?>/gi)].map(
      ([, url = '', label]) => ({
        url,
        label,
      }),
    ),
  );
  // The top-level text is linkified too, but for `parse: none`.
  const bare = texts
    .filter((one, index) => (index === 0 ? message.content.isLiteral !== true : one.parsesWords))
    .flatMap(({ text }) => text.replaceAll(/<[^>]*>/g, ' ').match(/\bhttps?:\/\/[^\s<>|]+/gi) ?? [])
    .map((url) => ({ url, label: undefined }));
  const pressed = objectsOfType(message.content.blocks, ['link']).flatMap((one) => {
    const url = string(one['url']);
    return url === undefined ? [] : [{ url, label: string(one['text']) }];
  });
  return [...written, ...bare, ...pressed];
}
