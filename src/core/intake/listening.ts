import type { Admit } from './admit.ts';
import type { Answer } from './answer.ts';
import type { Intake } from './intake.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Routed } from './routed.ts';
import type { TellFirst } from './tell-first.ts';

/** The bot as what listens to Slack has it. */
export interface Listening extends Routed {
  readonly intake: Intake;
  readonly answer: Answer;
  readonly rateLimit: RateLimit;
  readonly admit: Admit;
  readonly tellFirst: TellFirst;
  /** Where Slack is, and what stands before the name of each command. */
  readonly apiUrl: string;
  readonly commandPrefix: string;
}
