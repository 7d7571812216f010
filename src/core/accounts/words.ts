import { say } from '../../platform/slack/phrase.ts';
import { question } from '../ask/question.ts';
import type { Button, Message } from '../../platform/slack/message.ts';

/** What is said before it is known which account is meant. */

/** No account can be reached by this person from this place. */
export function noneHere(): Message {
  return {
    lines: [
      say`There is no hosting account that you can reach from here. Ask in a channel of your team's account, or ask the person who runs this bot.`,
    ],
  };
}

/** Something of an account was used where it can't be reached. */
export function notReachable(): Message {
  return { lines: [say`That belongs to an account that you can't reach from here, so nothing was done.`] };
}

/** One request is about one account. */
export function severalNamed(names: readonly string[]): Message {
  return { lines: [say`That names several accounts: ${names.join(', ')}. Ask for one at a time.`] };
}

/** It isn't clear which is meant. `names`: those that can be reached, at least two; `buttons`: the same line for each. */
export function whichAccount(names: readonly string[], buttons: readonly Button[]): Message {
  const [first = ''] = names;
  const last = names.at(-1) ?? '';
  return question({
    lines: [say`Which account: ${names.slice(0, -1).join(', ')} or ${last}?`],
    note: say`Next time, you can put its name first, as in ${first}:web-1.`,
    buttons,
  });
}
