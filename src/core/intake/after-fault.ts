import { HostingError, isKeyFault } from '../../platform/hosting/hosting-error.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { RouteTable } from './routes.ts';

/**
 * An answer about a fault of the hosting service; where that refuses the key, with a look at how the bot is set up, which not
 * everybody may press. Any other answer as it is. Pure.
 */
export function withHelp(
  { byService }: Pick<RouteTable, 'byService'>,
  error: unknown,
  answer: Message,
): Message {
  const examine = byService.get('examine');
  if (!examine || !(error instanceof HostingError) || !isKeyFault(error.fault)) return answer;
  const button = { label: 'Check the setup', routeId: examine.id, value: error.fault };
  return { ...answer, buttons: [...(answer.buttons ?? []), button] };
}
