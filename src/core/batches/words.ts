import type { Button } from '../../platform/slack/message.ts';

/** How a verb speaks of several instances. */
export interface SeveralWords {
  /** "stop" */
  readonly verb: string;
  /** "Stopping" */
  readonly doing: string;
  /** "Stopped" */
  readonly done: string;
  /** The button on the card of one that has ended which undoes it. Its value is the batch's id. */
  readonly opposite?: Pick<Button, 'label' | 'routeId'>;
}
