import type { Parts } from '../parts/parts.ts';
import type { Admit } from './admit.ts';
import type { Intake } from './intake.ts';
import type { RouteTable } from './routes.ts';
import type { TellFirst } from './tell-first.ts';

/** The bot as what listens to Slack has it. */
export interface Listening extends Parts {
  readonly routes: RouteTable;
  readonly intake: Intake;
  readonly admit: Admit;
  readonly tellFirst: TellFirst;
  /** Where Slack is, and what stands before the name of each command. */
  readonly apiUrl: string;
  readonly commandPrefix: string;
}
