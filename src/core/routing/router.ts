import type { App } from '@slack/bolt';
import type { z } from 'zod';
import type { Access } from '../policy/access.ts';
import { Refusal } from '../refusal.ts';
import { type Ask, isWrite, type Route } from './route.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { idOf } from '../../platform/id.ts';
import { atMost } from '../../platform/time/at-most.ts';
import type { Answer } from '../requests/answer.ts';
import type { RateLimit } from '../requests/rate-limit.ts';
import type { Intake } from '../requests/intake.ts';
import { notWritten, tooMuch, unsure } from '../requests/messages.ts';
import type { InFlight } from '../../platform/slack/in-flight.ts';
import { arrivedAtOf, incomingIdOf } from '../../platform/slack/incoming-request.ts';
import {
  afterMention,
  commandSchema,
  meantBy,
  mentionSchema,
  pressSchema,
  submissionSchema,
  suggestionSchema,
} from './incoming.ts';
import type { Choice, Message } from '../../platform/slack/message.ts';
import { toOptionsAnswer } from '../../platform/slack/render.ts';
import { FIELD, readCarried } from '../../platform/slack/modal.ts';
import { type Phrase, toPlainText } from '../../platform/slack/phrase.ts';
import { acknowledgement, isResponseUrl } from '../../platform/slack/response-url.ts';
import type { Matched } from './match.ts';
import type { RouteTable } from './routes.ts';

export interface RouterDeps {
  readonly routes: RouteTable;
  readonly intake: Intake;
  readonly answer: Answer;
  readonly access: Access;
  readonly rateLimit: RateLimit;
  readonly inFlight: InFlight;
  readonly commandPrefix: string;
  readonly apiUrl: string;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Not acknowledged, so that Slack shows it to the person, or delivers it again. */
class NeitherTakenNorTold extends Error {
  constructor() {
    super('what was not taken could not be told either');
    this.name = 'NeitherTakenNorTold';
  }
}

const TELL_FIRST_MS = 800;
const ANSWER_FIRST_MS = 1_500;
/** Slack shows nothing after three seconds. */
const CHOICES_WITHIN_MS = 2_500;

/**
 * Slack's requests, each taken in before it is acknowledged and answered after. One listener for each kind of
 * payload: Bolt runs every registered listener for every request (performance.md section 1).
 */
export function route(app: App, deps: RouterDeps): void {
  const { routes, intake, answer, inFlight, metrics, log } = deps;

  const responseUrl = (url: string | undefined): { responseUrl: string } | object =>
    url !== undefined && isResponseUrl(url, deps.apiUrl) ? { responseUrl: url } : {};

  /**
   * Takes a matched ask in. Gives what to say at once where it can't be taken. Whoever asks too much is answered each time where
   * that costs no call of ours, `withAck`, and else once. Of what Slack may deliver again, `isRepeated`, nobody can say
   * that nothing will come of it.
   */
  const take = async (
    ask: Ask,
    matched: Route,
    { withAck = false, isRepeated = false } = {},
  ): Promise<Message | undefined> => {
    const limited = await deps.rateLimit.check(ask.actor.userId);
    if (limited) {
      metrics.slackRequest(matched.id, 'rate-limited');
      return limited.isFirst || withAck ? answer.refuse(ask, matched, tooMuch(limited.waitMs)) : undefined;
    }
    metrics.slackRequest(matched.id, 'taken');
    if (!isWrittenDown(matched, ask.words)) {
      const noted = await intake.note(ask);
      if (noted === 'seen') return undefined;
      const answering = inFlight.run(async () => {
        const { reply } = await answer.decide(ask, matched);
        // What could not be told stays written down, and is tried again by whichever process is alive.
        if (!reply || (await answer.tell(ask, reply)) !== 'not yet') await intake.answered(ask);
      });
      // What is written down nowhere is acknowledged once it is answered, as far as Slack's patience goes.
      if (noted === 'not noted') await atMost(ANSWER_FIRST_MS, answering);
      return undefined;
    }
    const taken = await intake.take(ask);
    if (taken === 'taken') return undefined;
    return answer.refuse(ask, matched, taken === 'unsure' || isRepeated ? unsure() : notWritten());
  };

  /**
   * Tells that something was not taken, before it is acknowledged: it is written down nowhere, and a process that dies
   * after the acknowledgement could not say it any more. Gives whether it was told in time.
   */
  const tellFirst = async (ask: Parameters<Answer['tell']>[0], said: Message): Promise<boolean> =>
    (await atMost(
      TELL_FIRST_MS,
      inFlight.run(() => answer.tell(ask, said)),
    )) === 'told';

  /** What is wrong with what was typed into a modal. Its operation is asked about again when it begins. */
  const checked = async (ask: Ask, matched: Route): Promise<Phrase | undefined> => {
    try {
      return await matched.check?.(ask);
    } catch (error) {
      if (error instanceof Refusal) return error.answer.lines[0];
      log.warn({ request: ask.id, error }, 'checking what was typed into a modal');
      return notWritten();
    }
  };

  /** A typed line as a route, or what to say about it. */
  const match = (matching: () => Matched): Matched | Message => {
    try {
      return matching();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.answer;
    }
  };

  const parsed = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> | undefined => {
    const result = schema.safeParse(body);
    if (!result.success) {
      metrics.slackRequest('unreadable', 'dropped');
      log.warn(
        { at: result.error.issues.slice(0, 3).map((issue) => issue.path.join('.')) },
        'dropping an unreadable request',
      );
    }
    return result.data;
  };

  app.command(/.*/, async ({ body, ack, context }) => {
    const command = parsed(commandSchema, body);
    if (!command) return;
    const noun = command.command.replace(/^\//, '');
    const matched = match(() =>
      routes.matchCommand(
        noun.startsWith(deps.commandPrefix) ? noun.slice(deps.commandPrefix.length) : noun,
        command.text,
      ),
    );
    if ('lines' in matched) return ack(acknowledgement(matched));
    const said = await take(
      {
        id: idOf(incomingIdOf(context)),
        route: matched.route.id,
        words: [...matched.words],
        ...(matched.isVerbless ? { isVerbless: true } : {}),
        actor: { userId: command.user_id, ...(command.team_id ? { teamId: command.team_id } : {}) },
        place: { channelId: command.channel_id },
        ...responseUrl(command.response_url),
        ...(command.trigger_id ? { triggerId: command.trigger_id } : {}),
        replaces: false,
        askedAt: arrivedAtOf(context),
      },
      matched.route,
      { withAck: true },
    );
    return said ? ack(acknowledgement(said)) : ack();
  });

  app.action(/.*/, async ({ body, ack, context }) => {
    const press = parsed(pressSchema, body);
    const action = press?.actions[0];
    const channelId = press?.channel?.id ?? press?.container?.channel_id;
    const meant = action && meantBy(action);
    const matched = meant && routes.byId.get(meant.routeId);
    if (!press || !matched || channelId === undefined) return ack();
    const teamId = press.user.team_id ?? press.team?.id;
    const threadTs = press.message?.thread_ts ?? press.container?.thread_ts;
    const ask: Ask = {
      id: idOf(incomingIdOf(context)),
      route: matched.id,
      words: [],
      ...(meant.picked === undefined ? {} : { picked: meant.picked }),
      ...(meant.value === undefined ? {} : { value: meant.value }),
      actor: { userId: press.user.id, ...(teamId ? { teamId } : {}) },
      place: { channelId, ...(threadTs ? { threadTs } : {}) },
      ...responseUrl(press.response_url),
      ...(press.trigger_id ? { triggerId: press.trigger_id } : {}),
      replaces: press.container?.is_ephemeral ?? false,
      askedAt: arrivedAtOf(context),
    };
    const said = await take(ask, matched);
    if (said && !(await tellFirst({ ...ask, replaces: false }, said))) throw new NeitherTakenNorTold();
    await ack();
  });

  app.view(/.*/, async ({ body, ack, context }) => {
    // Whoever closes a modal has asked for nothing.
    if (body.type !== 'view_submission') return ack();
    const submission = parsed(submissionSchema, body);
    const carried = submission && readCarried(submission.view.private_metadata);
    const matched = submission && routes.byId.get(submission.view.callback_id);
    if (!submission || !carried || !matched?.check) return ack();
    const teamId = submission.user.team_id ?? submission.team?.id;
    const ask: Ask = {
      id: idOf(incomingIdOf(context)),
      route: matched.id,
      words: [],
      value: carried.value,
      typed: submission.view.state.values[FIELD.blockId][FIELD.actionId].value ?? '',
      actor: { userId: submission.user.id, ...(teamId ? { teamId } : {}) },
      place: carried.place,
      replaces: false,
      askedAt: arrivedAtOf(context),
    };
    const said = (await checked(ask, matched)) ?? (await take(ask, matched, { withAck: true }))?.lines[0];
    await (said ? ack({ response_action: 'errors', errors: { [FIELD.blockId]: toPlainText(said) } }) : ack());
  });

  app.options(/.*/, async ({ body, ack }) => {
    const typing = parsed(suggestionSchema, body);
    const matched = typing && routes.byId.get(typing.action_id);
    if (!typing || !matched) return ack({ options: [] });
    const actor = { userId: typing.user.id, ...(typing.user.team_id ? { teamId: typing.user.team_id } : {}) };
    const choose = async (): Promise<readonly Choice[]> => {
      if (matched.permission === undefined || !matched.choices) return [];
      const decision = await deps.access.check(actor, matched.permission);
      return decision.allowed ? matched.choices(typing.value) : [];
    };
    // An empty list is the most that can be said here.
    const choices = await atMost(CHOICES_WITHIN_MS, choose());
    await ack(toOptionsAnswer(choices ?? []));
  });

  app.event('app_mention', async ({ body, context }) => {
    const mention = parsed(mentionSchema, body);
    const user = mention?.event.user;
    if (
      !mention ||
      user === undefined ||
      mention.event.bot_id !== undefined ||
      mention.event.edited !== undefined ||
      mention.event.subtype !== undefined
    )
      return;
    const { event } = mention;
    // A retry of what was taken in must change nothing, and a retry of what was lost must be taken.
    const id = idOf(`event ${mention.event_id}`);
    const ask = {
      id,
      actor: {
        userId: user,
        ...((event.user_team ?? mention.team_id) ? { teamId: event.user_team ?? mention.team_id } : {}),
      },
      place: { channelId: event.channel, ...(event.thread_ts ? { threadTs: event.thread_ts } : {}) },
      replaces: false,
      askedAt: arrivedAtOf(context),
    };
    const matched = match(() => routes.matchMention(afterMention(event.text, context.botUserId)));
    const isKept = !('lines' in matched) && isWrittenDown(matched.route, matched.words);
    // What matches a route is known again by its record.
    if ('lines' in matched && !(await intake.isFirst(id))) return;
    const said =
      'lines' in matched
        ? matched
        : await take(
            {
              ...ask,
              route: matched.route.id,
              words: [...matched.words],
              ...(matched.isVerbless ? { isVerbless: true } : {}),
            },
            matched.route,
            { isRepeated: true },
          );
    if (said && !(await tellFirst(ask, said)) && isKept) throw new NeitherTakenNorTold();
  });
}

/** Whether an ask stands in Redis before it is acknowledged, and is answered by whichever process is alive. */
function isWrittenDown(matched: Route, words: readonly string[]): boolean {
  return isWrite(matched, words) || (matched.isWrittenDown?.(words) ?? false);
}
