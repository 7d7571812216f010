import type { Log } from '../../platform/log/log.ts';
import { FIELD, readCarried } from '../../platform/slack/modal.ts';
import { type Phrase, toPlainText } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import { notWritten, unknownForm } from './messages.ts';
import { filledIn } from './filled.ts';
import { identityOf, countUnknownRoute, parseIncoming, submissionSchema, whoActs } from './incoming.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import type { Listeners, Listening } from './listeners.ts';

/** A submitted modal. What is wrong with it is said under its field, and it stays open. */
export function createModalListener(
  deps: Pick<Listening, 'log' | 'metrics' | 'routes' | 'admit'>,
): Listeners['submission'] {
  return async ({ body, ack, context }) => {
    // A person who closes a modal has asked for nothing.
    if (body.type !== 'view_submission') return ack();
    const submission = parseIncoming(deps, submissionSchema, body);
    if (!submission) return ack();
    const { callback_id: routeId, private_metadata: metadata } = submission.view;
    const carried = readCarried(metadata);
    const route = deps.routes.byId.get(routeId);
    const identity = identityOf(context);
    const filled = filledIn(submission);
    const [field = FIELD.blockId] = 'filled' in filled ? Object.keys(filled.filled) : [];
    const show = (words: Phrase): Promise<void> =>
      ack({ response_action: 'errors', errors: { [field]: toPlainText(words) } });
    const isForm = 'filled' in filled;
    const isKnown =
      isForm === (route?.hasForm ?? false) && ('picked' in filled ? route?.choices : route?.check);
    if (!carried || !route || !isKnown) {
      countUnknownRoute(deps, { request: identity.id, route: routeId, by: submission.user.id });
      return show(unknownForm());
    }
    const ask: Ask = {
      ...identity,
      route: route.id,
      words: [],
      ...('picked' in filled ? filled : { ...filled, value: carried.value }),
      actor: whoActs(submission),
      place: carried.place,
      replaces: false,
    };
    const wrong = 'picked' in filled ? undefined : await findWrong(ask, route, deps.log);
    const said = wrong ?? (await deps.admit(ask, route, { ackSays: 'refusals' }))?.lines[0];
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
    return notWritten(error);
  }
}
