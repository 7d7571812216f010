import { PEOPLE, PEOPLE_OF_ORGANIZATION } from '../people.ts';
import { SCOPES } from './api/tokens.ts';
import type { SlackDoubleOptions } from './slack-double.ts';
import { CHANNELS } from './workspace/standard-channels.ts';
import type { Settings } from './world.ts';

const EVENTS = [
  'app_mention',
  'message.im',
  'app_home_opened',
  'app_uninstalled',
  'tokens_revoked',
  'team_access_granted',
  'team_access_revoked',
  'function_executed',
];

/** The options of a double, with what holds where nothing is said. */
export function settingsOf(options: SlackDoubleOptions): Settings {
  const inOrganization = (options.inOrganization ?? false) !== false;
  return {
    inOrganization,
    isOrgWide: options.inOrganization === 'org-wide token',
    people: options.people ?? (inOrganization ? [...PEOPLE, ...PEOPLE_OF_ORGANIZATION] : PEOPLE),
    channels: options.channels ?? CHANNELS,
    signingSecret: options.signingSecret ?? 'sandbox-signing-secret',
    botToken: options.botToken ?? 'xoxb-sandbox-bot-token',
    appToken: options.appToken ?? 'xapp-sandbox-app-token',
    scopes: options.scopes ?? SCOPES,
    oauth: options.oauth,
    events: options.events ?? EVENTS,
    commands: options.commands,
    clock: options.clock ?? Date.now,
    deadlineMs: options.deadlineMs ?? 3000,
    addresses: options.addresses,
    weather: options.weather,
    historyLimit: options.historyLimit,
    paceLimits: options.paceLimits,
  };
}
