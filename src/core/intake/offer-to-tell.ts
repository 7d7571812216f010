import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import type { Offers } from '../offers/offers.ts';
import { TELL_WHEN_BACK } from '../operations/messages.ts';
import type { Route } from './route.ts';
import type { RouteTable } from './routes.ts';
import { type AboutDeps, findAbout } from './find-about.ts';
import { type Asked, ASKED_WHILE_DOWN } from './waiting.ts';

export interface OfferToTellDeps extends AboutDeps {
  readonly routes: Pick<RouteTable, 'byService' | 'nounOf'>;
  readonly offers: Offers;
}

/** An answer that the hosting service was needed for, which is down, with a button that has its person told when it answers. */
export async function offerToTell(
  deps: OfferToTellDeps,
  ask: Ask,
  route: Route,
  answer: Message,
): Promise<Message> {
  const { routes, offers } = deps;
  const telling = routes.byService.get('tell-when-back');
  const again = againOf(ask, route);
  if (!telling || !again) return answer;
  const noun = routes.nounOf(route.id);
  // A sentence stands under no noun.
  const words =
    noun === undefined && ask.line !== undefined
      ? say`${ask.line}`
      : (await findAbout(deps, ask, route)).words;
  const asked: Asked = { actor: ask.actor, what: [...words], route: route.id, ...again };
  const value = await unlessRedisIsAway(offers.make(ASKED_WHILE_DOWN, asked), undefined);
  if (value === undefined) return answer;
  const button = { label: TELL_WHEN_BACK, routeId: telling.id, value };
  return { ...answer, buttons: [...(answer.buttons ?? []), button] };
}

/** What asks for the same later; undefined where nothing could. */
function againOf(
  { words, line, picked, value }: Ask,
  { usage }: Route,
): Pick<Asked, 'words' | 'line' | 'value'> | undefined {
  if (picked !== undefined) return usage === undefined ? undefined : { words: [picked] };
  return value === undefined ? { words, line } : { value };
}
