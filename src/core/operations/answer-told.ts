import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import type { Operation } from './operation.ts';

/**
 * What was answered to a call whose end its answer doesn't tell, to follow "because" or "though": "the service's answer was
 * lost", or what it was and said.
 */
export function answerTold({ execution: { answerStatus: status, answerSaid } }: Operation): Phrase {
  if (status === undefined) return say`the service's answer was lost`;
  const said = answerSaid === undefined ? say`` : say`: "${plain(answerSaid, 200)}"`;
  return status === 408 || status >= 500
    ? say`the service answered with an error (${status})${said}`
    : say`the service's answer (${status}) says neither yes nor no${said}`;
}

/** What the service had to do with an end that had come by itself. */
export function nothingAsked({ execution: { sends } }: Operation): string {
  return sends > 0 ? 'The service refused my call.' : 'Nothing was asked of the service.';
}
