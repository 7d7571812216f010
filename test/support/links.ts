import type { PostedMessage } from '../../sandbox/slack/index.ts';

/** The addresses that buttons of a message and lines of its menu open, by what stands on them. */
export function linksOf(message: PostedMessage | undefined): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  JSON.stringify(message?.blocks ?? [], (_key, value: unknown) => {
    if (value !== null && typeof value === 'object' && 'url' in value && 'text' in value) {
      const { text, url } = value as { text: { text: string }; url: string };
      found.push([text.text, url]);
    }
    return value;
  });
  return found;
}
