import type { Button } from '../../platform/slack/message.ts';

/** How a verb speaks of several instances. */
export interface SeveralWords {
  /** "stop" */
  readonly verb: string;
  /** "Stopping" */
  readonly doing: string;
  /** "Stopped" */
  readonly done: string;
  /** Set where it leads to no status of its own: one that it was done with since it was asked for is left. */
  readonly leavesDone?: true;
  /** The button on the card of one that has ended which undoes it. Its value is the batch's id. */
  readonly opposite?: Pick<Button, 'label' | 'routeId'>;
}
