import type { Button } from '../../platform/slack/message.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';

/** How a verb speaks of several instances. */
export interface SeveralWords {
  /** "stop" */
  readonly verb: string;
  /** "Stopping" */
  readonly doing: string;
  /** "Stopped" */
  readonly done: string;
  /** Set where it leads to no status of its own: one that it was done with since it was asked for is left. */
  readonly leavesDone?: true;
  /** The button on the card of one that has ended which undoes it. Its value is the batch's id. */
  readonly opposite?: Pick<Button, 'label' | 'routeId'>;
}

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
