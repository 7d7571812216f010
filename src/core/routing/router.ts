import type { App } from '@slack/bolt';
import { type AdmitDeps, createAdmit } from './admit.ts';
import { type ButtonDeps, createButtonListener } from './button.ts';
import { type CommandDeps, createCommandListener } from './command.ts';
import { createHomeListener, type HomeListenerDeps } from './home.ts';
import { createMentionListener, type MentionDeps } from './mention.ts';
import { createModalListener, type ModalDeps } from './modal.ts';
import { createOptionsListener, type OptionsDeps } from './options.ts';
import { createTellFirst } from './tell-first.ts';

type ListenersDeps = CommandDeps & ButtonDeps & ModalDeps & OptionsDeps & MentionDeps & HomeListenerDeps;
export type RouterDeps = AdmitDeps & Omit<ListenersDeps, 'admit' | 'tellFirst'>;

/**
 * Slack's requests, each taken in before it is acknowledged and answered after. One listener for each kind of
 * payload: Bolt runs every registered listener for every request.
 */
export function route(app: App, deps: RouterDeps): void {
  const given = { ...deps, admit: createAdmit(deps), tellFirst: createTellFirst(deps) };
  app.command(/.*/, createCommandListener(given));
  app.action(/.*/, createButtonListener(given));
  app.view(/.*/, createModalListener(given));
  app.options(/.*/, createOptionsListener(given));
  app.event('app_mention', createMentionListener(given));
  app.event('app_home_opened', createHomeListener(given));
}
