import { placeOf } from '../../platform/slack/ids.ts';
import { isWithin, isReplayable, maxAckBytesOf } from '../../platform/slack/incoming-request.ts';
import { acknowledgement, responseUrlOf } from '../../platform/slack/response-url.ts';
import { commandSchema, identityOf, parseIncoming, whoActs } from './incoming.ts';
import { askedBy, matchOrSay } from './match.ts';
import type { Listeners, Listening } from './listeners.ts';
import { NeitherTakenNorAnswered } from './answer.ts';

/** A slash command: `/instances restart web-1`. */
export function createCommandListener(deps: Listening): Listeners['command'] {
  return async ({ body, ack, context, isForSeveral = false }) => {
    const command = parseIncoming(deps, commandSchema, body);
    if (!command) return;
    const noun = nounOf(command.command, deps.commandPrefix);
    const asked = {
      ...identityOf(context),
      actor: whoActs({
        user: { id: command.user_id },
        team: { id: command.team_id },
        enterprise: { id: command.enterprise_id },
      }),
      place: placeOf(command.channel_id),
      ...responseUrlOf(command.response_url, deps.apiUrl),
      ...(command.trigger_id ? { triggerId: command.trigger_id } : {}),
      replaces: false,
    };
    const matched = matchOrSay(() => deps.routes.matchCommand(noun, command.text));
    const maxAckBytes = maxAckBytesOf(context);
    const ackSays = isReplayable(context) ? 'answers once' : 'answers';
    const said =
      'lines' in matched
        ? matched
        : await deps.admit(
            { ...asked, ...askedBy(matched) },
            matched.route,
            isForSeveral ? {} : { ackSays, maxAckBytes },
          );
    if (!said) return ack();
    const acknowledged = acknowledgement(said);
    if (!isForSeveral && isWithin(maxAckBytes, acknowledged)) return ack(acknowledged);
    if (!(await deps.tellFirst(asked, said))) throw new NeitherTakenNorAnswered();
    return ack();
  };
}

/** The noun of a command, without its slash and the prefix of this deployment. */
export function nounOf(command: string, prefix: string): string {
  const name = command.replace(/^\//, '');
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
