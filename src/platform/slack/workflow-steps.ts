import type { WebClient } from '@slack/web-api';
import { slackErrorOf } from './errors.ts';

/** Tells Slack how a step of a workflow ended. */
export interface Steps {
  /** Throws SlackError, where another try may get through. A step that Slack has ended by itself is left at that. */
  complete(executionId: string, outputs: Readonly<Record<string, string>>): Promise<void>;
  /** The same of one that failed; `why`: for who looks after the workflow. */
  fail(executionId: string, why: string): Promise<void>;
}

/** It has ended already, by us or by Slack, or its workflow is gone. */
const OVER = new Set(['execution_not_in_running_state', 'function_execution_not_found']);

export function createSteps(web: WebClient): Steps {
  const told = async (telling: Promise<unknown>): Promise<void> => {
    try {
      await telling;
    } catch (error) {
      const fault = slackErrorOf(error);
      if (!OVER.has(fault.code)) throw fault;
    }
  };
  return {
    complete: (id, outputs) =>
      told(web.functions.completeSuccess({ function_execution_id: id, outputs: { ...outputs } })),
    fail: (id, why) => told(web.functions.completeError({ function_execution_id: id, error: why })),
  };
}
