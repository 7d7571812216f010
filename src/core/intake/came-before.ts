import type { Ask } from '../ask/ask.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import { mayBeDone } from './messages.ts';
import { isWrite, type Route } from './route.ts';

/**
 * What is said in place of a no to a request that an earlier run may have carried out, which was cut off or still goes on: what came of it, or that
 * nobody knows. Undefined where nothing did. `refuse`: a no that says what it is about.
 */
export async function cameBefore(
  refuse: (ask: Ask, route: Route, no: Phrase) => Promise<Message>,
  ask: Ask,
  route: Route,
): Promise<Message | undefined> {
  if (!isWrite(route, ask.words)) return undefined;
  const came = (await route.came?.(ask)) ?? (await refuse(ask, route, mayBeDone()));
  return came === 'nothing' ? undefined : came;
}
