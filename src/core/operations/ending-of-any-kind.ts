import { serviceSaid } from '../outcome-words.ts';
import { keyFaultWords } from '../../platform/hosting/hosting-error.ts';
import { person, type Phrase, say, plain } from '../../platform/slack/phrase.ts';
import type { Operation, Outcome } from './operation.ts';

/**
 * How an operation of any kind ended that did not come to what was asked. `could`: "Could not restart web-1 (101)";
 * `didNot`: "Did not restart web-1 (101)"; `state`: what is known of it now, as a sentence.
 */
export function endingOfAnyKind(
  operation: Operation,
  outcome: Outcome,
  { could, didNot, state }: { readonly could: Phrase; readonly didNot: Phrase; readonly state: Phrase },
): Phrase {
  const said = serviceSaid(outcome.said);
  switch (outcome.code) {
    case 'wrong-state':
    case 'bad-input':
    case 'refused':
      return say`${could}: the service refused.${state}${said}`;
    case 'action-failed':
      return say`${could}: the service began it and says that it failed.${state}${said}`;
    case 'protected':
      return say`${could}: the hosting service protects it against that. Lift the protection there first.${said}`;
    case 'busy':
      return say`${could}: the hosting service is doing something else with it.${state}${said} Nothing was done; try again in a minute.`;
    case 'no-credit':
      return say`${could}: there is not enough credit. Top up, then try again.${said}`;
    case 'unauthorized':
    case 'forbidden':
      return say`${could}: the hosting service ${keyFaultWords(outcome.code)}.${said} The person who runs the bot must check it.`;
    case 'not-built':
      return say`${could}: the bot's adapter for the hosting service couldn't ask for it. Nothing was done. The person who runs the bot must check it.`;
    case 'bad-id':
      return say`${could}: I can't use its id with the hosting service. Nothing was done; do it on the service's own site.`;
    case 'rate-limited':
      return say`${could}: the hosting service isn't taking more requests right now. Nothing was done; try again in a minute.`;
    case 'unreachable':
      return say`${could}: the hosting service could not be reached. Nothing was done; try again in a minute.`;
    case 'no-right':
      return say`${didNot}: the person who asked no longer has the right to. Nothing was done.`;
    case 'approver-no-right':
      return say`${didNot}: the person who approved it no longer has the right to. Nothing was done.`;
    case 'frozen':
      return say`${didNot}: instances were frozen before it was done. Nothing was done. To see the freeze, type /lamplighter freeze.`;
    case 'needs-approval':
      return say`${didNot}: someone else must approve that by now, and nobody has. Nothing was done. Ask again to have it approved.`;
    case 'not-checked':
      return say`${didNot}: I could not check whether the person who asked may do that. Nothing was done; try again in a minute.`;
    case 'too-late':
      return say`${didNot}: it took too long to get to it, and you may have moved on. Nothing was done; ask again if you still want it.`;
    case 'queue-too-long':
      return say`${didNot}: it waited too long in line at the hosting service. Nothing was done; ask again if you still want it.`;
    case 'not-shown':
      return say`${didNot}: Slack didn't accept a message for it, so nobody could have followed or canceled it. Nothing was done; ask again if you still want it.`;
    case 'bot-refused':
      return say`${didNot}: Slack refuses the bot (${operation.card.fault ?? 'refused'}), so nobody could have followed it. Nothing was done. An admin of this workspace must install the app again.`;
    case 'canceled':
      return operation.canceledBy === undefined
        ? say`${didNot}: it was canceled. Nothing was done.`
        : say`${didNot}: ${person(operation.canceledBy)} canceled it. Nothing was done.`;
    case 'changed':
      return say`${didNot}: a different instance has its id now. Nothing was done; ask again to see what is there.`;
    default:
      return say`${could}: the hosting service gave no usable answer before I asked for it, so nothing was done.${said}${state} Try again in a minute.`;
  }
}

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
