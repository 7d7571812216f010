import { ACCESS } from './access-variables.ts';
import { HOSTING } from './hosting-variables.ts';
import { MONEY } from './money-variables.ts';
import { PROCESS, TRACES } from './process-variables.ts';
import { SLACK } from './slack-variables.ts';
import { type Filled, rowsIn } from './variable.ts';

/** Every variable the bot reads. docs/configuration.md and `.env.example` are printed from it by test/docs.test.ts. */
export const SECTIONS = {
  Slack: SLACK,
  'The hosting service': HOSTING,
  Money: MONEY,
  'Redis and the process': PROCESS,
  Traces: TRACES,
  'Who may do what': ACCESS,
} as const;

/** The variables one by one, in the order in which they are declared. */
export const VARIABLES = Object.values(SECTIONS).flatMap((section) => rowsIn(section));

/** What all of them together say. */
export type Values = Filled<typeof SLACK> &
  Filled<typeof HOSTING> &
  Filled<typeof MONEY> &
  Filled<typeof PROCESS> &
  Filled<typeof TRACES> &
  Filled<typeof ACCESS>;
