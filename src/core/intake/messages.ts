import { type HostingError, keyFaultWords } from '../../platform/hosting/hosting-error.ts';
import { type RefusedWrite, refusedWriteIn } from '../../platform/redis/away.ts';
import { ago, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { serviceSaid } from '../outcome-words.ts';

/** What Slack delivered so late that its person has gone on. `what`: "Restart web-1", if it is known. `at`: Unix ms. */
export function cameLate(what: string | undefined, at: number): Phrase {
  const asked = what === undefined ? say`You asked for that` : say`You asked for "${what}"`;
  return say`${asked} ${ago(at)}, while I was away. Nothing was started. Ask again if you still want it.`;
}

/** What was pressed so long ago. `at`: Unix ms. */
export function pressedLate(at: number): Phrase {
  return say`You pressed that ${ago(at)}, while I was away. Nothing was started. Press it again if you still want it.`;
}

/** More of that than one person is told of one by one. */
export function moreCameLate(): Phrase {
  return say`More of what you asked for while I was away has just reached me. None of it was started. Ask again for what you still want.`;
}

/** What a button was to do in words is forgotten. */
export function wordsForgotten(): Phrase {
  return say`That was too long ago, so nothing was done. Ask again in words.`;
}

/** Nothing stands in the field that is to complete what was asked. */
export function nothingFilled(): Phrase {
  return say`The field is empty, so nothing was done. Fill it in, then try again.`;
}

export function quoteLeftOpen(): Phrase {
  return say`There is an unclosed quotation mark, so nothing was done. Close it, then try again.`;
}

const REFUSED: Readonly<Record<RefusedWrite, Phrase>> = {
  'read-only': say`it is read-only right now`,
  full: say`it is full`,
  'not saved': say`it can't save to its disk`,
  alone: say`its replicas are missing`,
  starting: say`it is still starting`,
  moving: say`its data is moving to another machine right now`,
};

/** What is wrong with the database, as far as `error` says. */
function databaseFault(error: unknown): Phrase {
  const why = refusedWriteIn(error);
  return why === undefined
    ? say`I can't reach my database right now`
    : say`I can't write to my database (${REFUSED[why]})`;
}

/** It could not be written down. `error`: what the database said. */
export function notWritten(error: unknown): Phrase {
  return say`${databaseFault(error)}, so nothing was done, and nothing will happen later. Try again in a minute.`;
}

/** What was to be shown can't be read. `error`: what the database said. */
export function notReadable(error: unknown): Phrase {
  return say`${databaseFault(error)}. Try again in a minute.`;
}

/** A newer version of the bot wrote it, while processes of both run. */
export function notReadableYet(): Phrase {
  return say`I'm being upgraded: a newer version of me wrote what this is about, and I can't read it. Try again in a minute.`;
}

/** What only reads is neither written down nor answered yet: it is lost if this process ends before it is. */
export function mayBeLost(): Phrase {
  return say`I can't reach my database right now, and your answer is not ready yet. If it doesn't come within a minute, ask again.`;
}

/** Nobody can tell whether it was written down. */
export function unknown(): Phrase {
  return say`I lost touch with my database while taking this, so I don't know whether it will be done. If no card appears here within two minutes, it wasn't taken. Ask again then.`;
}

/** An earlier run of the same request was cut off, and nobody can tell whether before or after it did what was asked. */
export function mayBeDone(): Phrase {
  return say`I was interrupted while I worked on that, so I don't know whether it was done. Look before you ask again.`;
}

/** A press on a message of another version of the bot. */
export function unknownPress(): Phrase {
  return say`I don't know what you pressed, so nothing was done. It may be from before an update: ask again in words.`;
}

/** A modal of another version of the bot. */
export function unknownForm(): Phrase {
  return say`I don't know this form, so nothing was done. It may be from before an update: close it and ask again.`;
}

/** One person asks more than is taken from one in a minute. */
export function tooMuch(waitMs: number): Phrase {
  return say`That's too many requests in a minute, so nothing was done. Try again in ${seconds(waitMs)} s.`;
}

/** No call can be made right now: the request is kept, and done by itself. `at`: about when, Unix ms. */
export function queuedForCalls({ isOwnLimit }: HostingError, at: number): Phrase {
  const why = isOwnLimit
    ? say`I'm at my limit of calls to the hosting service`
    : say`the hosting service isn't taking more requests right now`;
  return say`in line, because ${why}. It goes on by itself at about ${time(at)}.`;
}

/** A bug. */
export function wentWrong(requestId: string): Phrase {
  return say`Something went wrong on our side, so I can't tell. Request ${requestId}`;
}

/**
 * A fault of the hosting API, before anything was asked of it: what it means for the person. `isRead`: nothing was to
 * be done. `now` in Unix ms.
 */
export function hostingWords(
  error: HostingError,
  { requestId, isRead, now }: { readonly requestId: string; readonly isRead: boolean; readonly now: number },
): Phrase {
  const so = isRead ? say`` : say`, so nothing was done`;
  if (error.isOwnLimit)
    return say`I'm at my limit of calls to the hosting service${until(error, now)}${so}. Request ${requestId}`;
  if (error.fault === 'not-built')
    return say`The bot's adapter for the hosting service couldn't ask for that${so}. The person who runs the bot must check it. Request ${requestId}`;
  return say`The hosting service ${hostingFault(error, so, now)} Request ${requestId}`;
}

function hostingFault(error: HostingError, so: Phrase, now: number): Phrase {
  const { fault, retryAfterMs, status } = error;
  const said = serviceSaid(error.said);
  switch (fault) {
    case 'unauthorized':
    case 'forbidden':
      return say`${keyFaultWords(fault)}${so}.${said} The person who runs the bot must check it.`;
    case 'unclear':
      return say`answered in a way that I can't read (${status ?? 'no status'})${so}.${said} Try again in a minute.`;
    case 'refused':
    case 'bad-input':
    case 'wrong-state':
    case 'no-credit':
      return say`refused that (${status ?? 'no status'})${so}.${said}`;
    case 'rate-limited':
      return retryAfterMs === undefined
        ? say`isn't taking more requests right now${so}. Try again in a minute.`
        : say`isn't taking more requests${until(error, now)}${so}.`;
    case 'unreadable':
      return say`gave an answer that I can't read${so}.`;
    case 'not-found':
      return say`doesn't know about that${so}.`;
    default:
      return status === undefined
        ? say`does not answer right now${so}. Try again in a minute.`
        : say`answered with an error (${status})${so}.${said} Try again in a minute.`;
  }
}

/** " for another 20 s (until 14:03)". */
function until({ retryAfterMs }: HostingError, now: number): Phrase {
  if (retryAfterMs === undefined) return say``;
  return say` for another ${seconds(retryAfterMs)} s (until ${time(now + retryAfterMs)})`;
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
