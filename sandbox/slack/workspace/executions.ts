import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';

/** A run of a step of a workflow. */
export interface Execution {
  readonly id: string;
  /** What the bot said of its end: its outputs, or why it failed. */
  readonly end?: { readonly outputs?: Json; readonly error?: string };
}

/** The runs of the bot's steps. */
export class Executions {
  readonly all: Execution[] = [];
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  begin(id: string): void {
    this.all.push({ id });
  }

  /** Throws SlackNo for one that is not there, or has ended. */
  end(id: string, end: NonNullable<Execution['end']>): void {
    const at = this.all.findIndex((one) => one.id === id);
    if (at < 0) throw new SlackNo('function_execution_not_found');
    if (this.all[at]?.end) throw new SlackNo('execution_not_in_running_state');
    this.all[at] = { id, end };
    this.#tell();
  }
}
