import type { Change } from '../../core/changes/change.ts';
import { isForbidden } from '../../core/changes/examine.ts';
import type { Rehearsed } from '../../core/changes/rehearse.ts';
import { nameOf } from '../../core/instances/messages.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { frozenLine, refusedAccess } from '../../core/policy/messages.ts';
import { asUnread } from '../../platform/hosting/hosting-error.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { scheduleCheck, wayChecks } from './check-way.ts';
import type { Examine } from './examine.ts';
import { type Finding, fault, ok, warn, type Check, CHECK_WITHIN_MS, runChecks } from './finding.ts';
import { judgePeople, lookAtPeople } from './judge-people.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** The bot as rehearsals have it. */
export interface Rehearsing extends Bot {
  readonly examine: Examine;
  /** Verbs, among them those that can be rehearsed. */
  readonly changes: readonly Change[];
}

/** Walks the way of changes without their last call. Nothing is written at the service or in Slack. */
export interface Rehearsal {
  /**
   * What stands in the way of one change of one instance. `isAsked`: whether its asker would ask for it, and others are
   * needed beside them. Undefined where the service doesn't answer. Throws a Refusal where the words mean no instance.
   */
  change(change: Change, ask: Ask, isAsked: boolean): Promise<RehearsedChange | undefined>;
  /** What stands in the way of every change. `cardIn`: the channel in which it would be asked for, if any. */
  way(cardIn: string | undefined): Promise<readonly Finding[]>;
}

export interface RehearsedChange {
  readonly rehearsed: Rehearsed;
  readonly findings: readonly Finding[];
}

export function createRehearsal(deps: Rehearsing): Rehearsal {
  const { examine, log } = deps;
  const run = (checks: readonly Check[]): Promise<readonly Finding[]> =>
    runChecks(checks, CHECK_WITHIN_MS, (error) => log.error({ error }, 'rehearsing a change'));
  return {
    change: async (change, ask, isAsked) => {
      const rehearsed = await change.rehearse(deps, ask).catch(asUnread);
      if (!rehearsed) return undefined;
      const asker = isAsked ? ask.actor.userId : undefined;
      const channelId = isAsked ? ask.place.channelId : undefined;
      const found = await run([
        {
          about: say`Who else may do it`,
          unread: 'warn',
          look: async () => {
            const others = await lookAtPeople(deps, rehearsed, { asker, channelId });
            if (!others)
              return [
                warn(say`Who else may do it couldn't be read from my database.`, say`Ask again in a minute.`),
              ];
            return judgePeople({ ...rehearsed, hasAsker: isAsked }, others);
          },
        },
        scheduleCheck(deps, rehearsed.instance),
      ]);
      const policy = await deps.access.policy();
      return { rehearsed, findings: [...judgeChange(rehearsed, policy, channelId), ...found] };
    },
    way: async (cardIn) => (await Promise.all([examine({ cardIn }), run(wayChecks(deps))])).flat(),
  };
}

/** Whether the change itself is allowed and possible now. `channelId`: where it would be asked for. Pure. */
function judgeChange(
  { what, instance, permission, decision, stops, isPassing, isRead, needsApproval }: Rehearsed,
  policy: Parameters<typeof frozenLine>[1],
  channelId: string | undefined,
): readonly Finding[] {
  const about = { id: instance.id, name: instance.name };
  const rights = decision.allowed
    ? ok(say`The right to ${what} is there.`)
    : withTodo(
        frozenLine(decision, policy) ??
          refusedAccess(decision, permission, policy, { isQuestion: true, about }),
        // A freeze ends, and what couldn't be checked says what to do.
        isForbidden(decision) ? say`See that before somebody needs it.` : undefined,
      );
  const again = isPassing ? say`Rehearse it once more after that.` : undefined;
  const possible = isRead
    ? stops.map((stop) => withTodo(stop, again))
    : [
        fault(
          say`The hosting service couldn't be asked how ${nameOf(instance)} is now, so nobody knows whether it is possible.`,
          say`Ask again in a minute.`,
        ),
      ];
  const well = isRead && stops.length === 0 ? [ok(say`The service has it, and nothing holds it.`)] : [];
  const alone =
    needsApproval && channelId !== undefined && isDirect(channelId)
      ? [
          fault(
            say`It needs an approval, and nobody else can read this direct message.`,
            say`Ask for it in a channel.`,
          ),
        ]
      : [];
  return [rights, ...possible, ...well, ...alone];
}

function withTodo(what: Phrase, todo: Phrase | undefined): Finding {
  return todo ? fault(what, todo) : { level: 'fault', what };
}
