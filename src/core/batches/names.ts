import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';

/** So many are named in a sentence. */
const MAX_NAMED = 12;
const MAX_NAME = 40;

/** "web-1, web-2 and 10 more". Foreign text. Pure. */
export function names(those: readonly { readonly name: string }[], most = MAX_NAMED): Phrase {
  const first = those.slice(0, most).map(({ name }) => plain(name, MAX_NAME));
  const rest = those.length - first.length;
  const named: Phrase = [{ type: 'text', text: first.join(', ') }];
  return rest > 0 ? say`${named} and ${rest} more` : named;
}
