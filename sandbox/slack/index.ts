export { BOT } from '../people.ts';
export type { Person } from './acting/person.ts';
export { SCOPES } from './api/tokens.ts';
export { createSlackDouble } from './double.ts';
export { links } from './reading/links.ts';
export { pings } from './reading/pings.ts';
export type { SlackFault } from './api/faults.ts';
export type { SlackDouble, SlackDoubleOptions } from './slack-double.ts';
export type { PostedMessage } from './workspace/posted-message.ts';
