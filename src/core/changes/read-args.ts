import { z } from 'zod';
import { followedBy, inWords } from '../ask/mend-words.ts';
import { Refusal } from '../refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Args, Declared, Given, Wanted } from './declaration.ts';

/**
 * Reads the arguments of a verb that does not read them itself: those of the pressed button, or the last words in the
 * order of the schema's keys. Throws a Refusal with what the schema says, and an example.
 */
export function readArgs<A extends Args>(
  { args: schema, example }: Pick<Declared<A>, 'args' | 'example'>,
  { words, buttonToken }: Pick<Given, 'words' | 'buttonToken'>,
): Wanted<A> {
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const first = words.length - keys.length;
  const isTooFew = keys.length > 0 && buttonToken?.args === undefined && first < 1;
  if (isTooFew) {
    throw new Refusal(
      'missing-argument',
      say`I need an instance and ${keys.join(', ')}, so nothing was done. Example: ${example}.`,
      words.length === 0
        ? followedBy(inWords(`Instance and ${keys.join(', ')}`, example.split(' ').slice(1).join(' ')))
        : followedBy({ asks: 'words', label: keys.join(', ') }),
    );
  }
  const typed = Object.fromEntries(keys.map((key, index) => [key, words[first + index]]));
  const read = schema.safeParse(buttonToken?.args ?? typed);
  if (read.success) return { names: buttonToken?.args ? [] : words.slice(0, first), args: read.data };
  const [issue] = read.error.issues;
  throw new Refusal(
    'bad-argument',
    say`I can't take that ${String(issue?.path[0] ?? 'word')}: ${issue?.message ?? 'it is not valid'}. Nothing was done. Example: ${example}.`,
  );
}
