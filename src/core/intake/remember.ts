import type { Ask } from '../ask/ask.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { capitalized } from './about.ts';
import { findAbout } from './find-about.ts';
import { rememberQuestion } from './open-questions.ts';
import type { Route } from './route.ts';
import type { SayNoDeps } from './say-no.ts';

/** An answer, of which it is remembered what it asks; what waits for another answer is asked by none. */
export async function remember(deps: SayNoDeps, ask: Ask, route: Route, answer: Message): Promise<Message> {
  if (route.serves === 'cancel') return answer;
  return rememberQuestion(deps.offers, ask, answer, () => whatIsAsked(deps, ask, route));
}

async function whatIsAsked(deps: SayNoDeps, ask: Ask, route: Route): Promise<Phrase> {
  if (ask.words.length === 0 && ask.value === undefined && ask.picked === undefined)
    return say`${capitalized(route.verb)}`;
  return (await findAbout(deps, ask, route)).words;
}
