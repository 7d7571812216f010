import type { AllMiddlewareArgs, App, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import { createAdmit } from './admit.ts';
import { createButtonListener } from './button.ts';
import { createCommandListener } from './command.ts';
import { idOf } from '../../platform/id.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import { homeOpenedSchema, parseIncoming, whoActs } from './incoming.ts';
import { isLate, sentAtOf } from './late.ts';
import type { Service } from './route.ts';
import type { Listeners, Listening } from './listeners.ts';
import { createMessageListener } from './message-listener.ts';
import { createModalListener } from './modal.ts';
import { createOptionsListener } from './options.ts';
import { createShortcutListener } from './shortcut.ts';
import { createTellFirst } from './answer.ts';

/** What a tab of the app leads to. */
const OPENED: Readonly<Record<string, Service>> = { home: 'home', messages: 'suggest' };

/**
 * Somebody opened the app: its Home, which is drawn, or the conversation with the bot, where they are offered what to say. Neither is
 * answered otherwise, also where that can't be done now.
 */
function createHomeListener(
  deps: Pick<Listening, 'log' | 'metrics' | 'routes' | 'admit'>,
): Listeners['home'] {
  return async ({ body, context }) => {
    const opened = parseIncoming(deps, homeOpenedSchema, body);
    const service = opened && OPENED[opened.event.tab];
    const leadsTo = service && deps.routes.byService.get(service);
    if (!opened || !leadsTo) return;
    const ask = {
      id: idOf(`event ${opened.event_id}`),
      route: leadsTo.id,
      words: [],
      actor: whoActs({
        user: { id: opened.event.user },
        team: { id: opened.team_id },
        enterprise: { id: opened.enterprise_id },
      }),
      place: placeOf(opened.event.channel),
      replaces: false,
      askedAt: arrivedAtOf(context),
      ...sentAtOf(opened.event_time),
    };
    // Whoever looked at it then has gone on; it is drawn when somebody opens it again.
    if (isLate(ask, Date.now())) return;
    await deps.admit(ask, leadsTo);
  };
}

/** Slack's requests, each taken in before it is acknowledged and answered after. */
export function createListeners(
  deps: Omit<Listening, 'admit' | 'tellFirst'> & Pick<Listeners, 'workflowStep'>,
): Listeners {
  const given = {
    ...deps,
    admit: createAdmit(deps),
    tellFirst: createTellFirst(deps),
  };
  return {
    command: createCommandListener(given),
    press: createButtonListener(given),
    submission: createModalListener(given),
    typing: createOptionsListener(given),
    shortcut: createShortcutListener(given),
    message: createMessageListener(given),
    home: createHomeListener(given),
    workflowStep: deps.workflowStep,
  };
}

/**
 * Has Bolt hand each request to the listener for its kind of payload. As middleware that ends there, since Bolt runs the
 * chain of every registered listener for each request. Events of other kinds go on to who has registered for them.
 */
export function route(app: App, listeners: Listeners): void {
  app.use((heard) => {
    if ('command' in heard) return listeners.command(heard);
    if ('action' in heard) return listeners.press(heard);
    if ('options' in heard && isSuggestion(heard)) return listeners.typing(heard);
    if ('shortcut' in heard) return listeners.shortcut(heard);
    if ('view' in heard) return listeners.submission(heard);
    if ('event' in heard && heard.event.type === 'app_mention') return listeners.message(heard);
    if ('event' in heard && heard.event.type === 'message' && heard.event.channel_type === 'im')
      return listeners.message(heard);
    if ('event' in heard && heard.event.type === 'app_home_opened') return listeners.home(heard);
    if ('event' in heard && heard.event.type === 'function_executed') return listeners.workflowStep(heard);
    return heard.next();
  });
}

/** Whether it is what somebody types into a picker: Bolt has two older kinds. */
function isSuggestion<Heard extends SlackOptionsMiddlewareArgs & AllMiddlewareArgs>(
  heard: Heard,
): heard is Heard & SlackOptionsMiddlewareArgs<'block_suggestion'> {
  return heard.body.type === 'block_suggestion';
}
