import type { Middleware, SlackViewMiddlewareArgs } from '@slack/bolt';
import type { Log } from '../../platform/log/log.ts';
import { FIELD, readCarried } from '../../platform/slack/modal.ts';
import { type Phrase, toPlainText } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import { notWritten, unknownForm } from '../requests/messages.ts';
import type { Admit } from './admit.ts';
import {
  identityOf,
  noteUnknown,
  type ParseDeps,
  parseIncoming,
  submissionSchema,
  whoActs,
} from './incoming.ts';
import type { Ask, Route } from './route.ts';
import type { RouteTable } from './routes.ts';

export interface ModalDeps extends ParseDeps {
  readonly routes: RouteTable;
  readonly admit: Admit;
}

/** A submitted modal. What is wrong with it is said under its field, and it stays open. */
export function createModalListener(deps: ModalDeps): Middleware<SlackViewMiddlewareArgs> {
  return async ({ body, ack, context }) => {
    // Whoever closes a modal has asked for nothing.
    if (body.type !== 'view_submission') return ack();
    const submission = parseIncoming(deps, submissionSchema, body);
    if (!submission) return ack();
    const { callback_id: routeId, private_metadata: metadata } = submission.view;
    const carried = readCarried(metadata);
    const route = deps.routes.byId.get(routeId);
    const identity = identityOf(context);
    const show = (words: Phrase): Promise<void> =>
      ack({ response_action: 'errors', errors: { [FIELD.blockId]: toPlainText(words) } });
    if (!carried || !route?.check) {
      noteUnknown(deps, { request: identity.id, route: routeId, by: submission.user.id });
      return show(unknownForm());
    }
    const ask: Ask = {
      ...identity,
      route: route.id,
      words: [],
      value: carried.value,
      typed: submission.view.state.values[FIELD.blockId][FIELD.actionId].value ?? '',
      actor: whoActs(submission),
      place: carried.place,
      replaces: false,
    };
    const wrong = await findWrong(ask, route, deps.log);
    const said = wrong ?? (await deps.admit(ask, route, { isSaidWithAck: true }))?.lines[0];
    await (said ? show(said) : ack());
  };
}

/** What is wrong with what was typed into a modal. Its operation is asked about again when it begins. */
async function findWrong(ask: Ask, route: Route, log: Log): Promise<Phrase | undefined> {
  try {
    return await route.check?.(ask);
  } catch (error) {
    if (error instanceof Refusal) return error.answer.lines[0];
    log.warn({ request: ask.id, error }, 'checking what was typed into a modal');
    return notWritten();
  }
}
