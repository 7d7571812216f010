import type { People } from '../../platform/slack/people.ts';
import { asTyped } from '../ask/words.ts';

/** What a button can show, which can mention nobody: people's ids in a text by what Slack calls them, as "@ana"; no id is shown. Never throws. */
export async function withPeople(people: Pick<People, 'name'>, text: string): Promise<string> {
  const ids = [...new Set([...text.matchAll(PERSON)].map(([, id = '']) => id))];
  const names = await Promise.all(ids.map((id) => people.name(id).catch(() => undefined)));
  const named = text.replace(PERSON, (_, id: string) => {
    const name = names[ids.indexOf(id)];
    return name === undefined ? 'that person' : `@${name}`;
  });
  return named.replace(GROUP, 'that user group');
}

const GROUP = /(?:<!subteam\^)?\bS(?=[A-Z]*\d)[A-Z0-9]{8,20}\b(?:\|[^<>]*>|>)?/g;
const PERSON = /(?:<@)?\b([UW](?=[A-Z]*\d)[A-Z0-9]{8,20})\b(?:\|[^<>]*>|>)?/g;

/** The label of a route whose words name people, as it was typed: "Can @ana restart web-1 (101)". `named`: an instance by its name. */
export function labelWithPeople(
  people: Pick<People, 'name'>,
  verb: string,
  words: readonly string[],
  named: (word: string) => string,
): Promise<string> {
  const start = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`;
  return withPeople(people, [start, ...words.map((word) => named(asTyped([word])))].join(' '));
}
