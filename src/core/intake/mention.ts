import type { z } from 'zod';
import { idOf, newId } from '../../platform/id.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import type { Intake } from './intake.ts';
import type { Admit } from './admit.ts';
import { afterMention, mentionSchema, type ParseDeps, parseIncoming, whoActs } from './incoming.ts';
import { sentAtOf } from './late.ts';
import { askedBy, matchOrSay } from './match.ts';
import type { Listeners } from './listeners.ts';
import type { RouteTable } from './routes.ts';
import { NeitherTakenNorAnswered, type TellFirst } from './tell-first.ts';

export interface MentionDeps extends ParseDeps {
  readonly routes: RouteTable;
  readonly intake: Pick<Intake, 'isFirst' | 'forget'>;
  readonly admit: Admit;
  readonly tellFirst: TellFirst;
}

/** A mention of the bot in a channel: `@Lamplighter restart web-1`. */
export function createMentionListener(deps: MentionDeps): Listeners['mention'] {
  return async ({ body, context }) => {
    const mention = parseIncoming(deps, mentionSchema, body);
    const userId = mention && askerOf(mention.event);
    if (!mention || userId === undefined || userId === context.botUserId) return;
    const { event } = mention;
    const asked = {
      // A retry of what was taken in must change nothing, and a retry of what was lost must be taken. One message may be
      // reported by several events: it is one mention all the same.
      id: idOf(`mention ${event.channel} ${event.ts}`),
      actor: whoActs({
        user: { id: userId, team_id: event.user_team },
        team: { id: mention.team_id },
        enterprise: { id: mention.enterprise_id },
      }),
      place: placeOf(event.channel, event.thread_ts),
      replaces: false,
      askedAt: arrivedAtOf(context),
      ...sentAtOf(event.ts, mention.event_time),
    };
    const matched = matchOrSay(() => deps.routes.matchMention(afterMention(event.text, context.botUserId)));
    if ('lines' in matched) {
      // What matches a route is known again by its record.
      const token = newId();
      if (!(await deps.intake.isFirst(asked.id, token)) || (await deps.tellFirst(asked, matched))) return;
      await deps.intake.forget(asked.id, token);
      throw new NeitherTakenNorAnswered();
    }
    const ask = { ...asked, ...askedBy(matched) };
    const said = await deps.admit(ask, matched.route, { mayComeAgain: true });
    if (said && !(await deps.tellFirst(asked, said))) throw new NeitherTakenNorAnswered();
  };
}

/** The person who wrote a message; undefined where it is no person's, or only an edited one. */
function askerOf(event: z.output<typeof mentionSchema>['event']): string | undefined {
  const isAPersons = event.bot_id === undefined && event.edited === undefined && event.subtype === undefined;
  return isAPersons ? event.user : undefined;
}
