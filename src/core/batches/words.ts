/** How a verb speaks of several instances. */
export interface SeveralWords {
  /** "stop" */
  readonly verb: string;
  /** "Stopping" */
  readonly doing: string;
  /** "Stopped" */
  readonly done: string;
}
