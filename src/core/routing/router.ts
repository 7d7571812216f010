import type { App } from '@slack/bolt';
import { type AdmitDeps, createAdmit } from './admit.ts';
import { type ButtonDeps, createButtonListener } from './button.ts';
import { type CommandDeps, createCommandListener } from './command.ts';
import { createHomeListener, type HomeListenerDeps } from './home.ts';
import type { Listeners } from './listeners.ts';
import { createMentionListener, type MentionDeps } from './mention.ts';
import { createModalListener, type ModalDeps } from './modal.ts';
import { createOptionsListener, type OptionsDeps } from './options.ts';
import { createRedraw, type RedrawDeps } from './redraw.ts';
import { createShortcutListener, type ShortcutDeps } from './shortcut.ts';
import { createTellFirst } from './tell-first.ts';

type ListenersDeps = CommandDeps &
  ButtonDeps &
  ModalDeps &
  OptionsDeps &
  MentionDeps &
  HomeListenerDeps &
  ShortcutDeps;
export type RouterDeps = AdmitDeps & RedrawDeps & Omit<ListenersDeps, 'admit' | 'tellFirst' | 'redraw'>;

/** Slack's requests, each taken in before it is acknowledged and answered after. */
export function createListeners(deps: RouterDeps): Listeners {
  const given = {
    ...deps,
    admit: createAdmit(deps),
    tellFirst: createTellFirst(deps),
    redraw: createRedraw(deps),
  };
  return {
    command: createCommandListener(given),
    press: createButtonListener(given),
    submission: createModalListener(given),
    typing: createOptionsListener(given),
    shortcut: createShortcutListener(given),
    mention: createMentionListener(given),
    home: createHomeListener(given),
  };
}

/** Has Bolt hand each request to its listener: one for each kind of payload, since Bolt runs all that match. */
export function route(app: App, listeners: Listeners): void {
  app.command(/.*/, listeners.command);
  app.action(/.*/, listeners.press);
  app.view(/.*/, listeners.submission);
  app.options(/.*/, listeners.typing);
  app.shortcut(/.*/, listeners.shortcut);
  app.event('app_mention', listeners.mention);
  app.event('app_home_opened', listeners.home);
}
