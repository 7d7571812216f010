import type {
  AllMiddlewareArgs,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt';
import type { Admit } from './admit.ts';
import type { Answer, TellFirst } from './answer.ts';
import type { Intake } from './intake.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Routed } from './routes.ts';

/** What a listener is given of a request: what Slack sent, what is known of it, and how to acknowledge it. */
type Heard<Args, Parts extends keyof Args = never> = Pick<Args, Parts> & Pick<AllMiddlewareArgs, 'context'>;

type CommandHeard = Heard<SlackCommandMiddlewareArgs, 'body' | 'ack'> & {
  /** Others answer the same command, so that none does with the acknowledgement. */
  readonly isForSeveral?: boolean;
};
type PressHeard = Heard<SlackActionMiddlewareArgs, 'body' | 'ack'>;
type SubmissionHeard = Heard<SlackViewMiddlewareArgs, 'body' | 'ack'>;
type TypingHeard = Heard<SlackOptionsMiddlewareArgs<'block_suggestion'>, 'body' | 'ack'>;
type ShortcutHeard = Heard<SlackShortcutMiddlewareArgs, 'body' | 'ack'>;
type EventHeard = Heard<SlackEventMiddlewareArgs, 'body'>;

/** One listener for each kind of payload. */
export interface Listeners {
  readonly command: (heard: CommandHeard) => Promise<void>;
  readonly press: (heard: PressHeard) => Promise<void>;
  readonly submission: (heard: SubmissionHeard) => Promise<void>;
  readonly typing: (heard: TypingHeard) => Promise<void>;
  readonly shortcut: (heard: ShortcutHeard) => Promise<void>;
  /** A mention, or a line in the bot's own conversation. */
  readonly message: (heard: EventHeard) => Promise<void>;
  readonly home: (heard: EventHeard) => Promise<void>;
  /** A workflow has come to a step of the bot. */
  readonly workflowStep: (heard: EventHeard) => Promise<void>;
}

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
