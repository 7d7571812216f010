import { HostingError, isDown, isKeyFault } from '../../platform/hosting/hosting-error.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Ask } from '../ask/ask.ts';
import { offerToTell, type OfferToTellDeps } from './offer-to-tell.ts';
import type { Route } from './route.ts';

/**
 * An answer about a fault of the hosting service, with what helps then: being told when it answers again, or, where it refuses the
 * key, a look at how the bot is set up, which not everybody may press. Any other answer as it is.
 */
export async function withHelp(
  deps: OfferToTellDeps,
  error: unknown,
  ask: Ask,
  route: Route,
  answer: Message,
): Promise<Message> {
  if (isDown(error)) return offerToTell(deps, ask, route, answer);
  const examine = deps.routes.byService.get('examine');
  if (!examine || !(error instanceof HostingError) || !isKeyFault(error.fault)) return answer;
  const button = { label: 'Check the setup', routeId: examine.id, value: error.fault };
  return { ...answer, buttons: [...(answer.buttons ?? []), button] };
}
