import type { Entry } from '../audit/entry.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import { withChoices } from '../ask/question.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { createAttemptEntry, ofUnknown } from './attempt-entry.ts';
import { cameBefore } from './came-before.ts';
import type { Decide, Decided } from './decided.ts';
import { remember } from './remember.ts';
import { isWrite, isWrittenDown, type Route } from './route.ts';
import { refusing, sayNo, type SayNoDeps, showOnlyAllowed } from './say-no.ts';
import type { ReadSentence } from './sentence.ts';
import { SLIPS } from './slips.ts';

/** What a line comes to whose words weren't understood, where it is a sentence. `isAgain`: as of a request. */
type DecideMeant = (
  asked: Ask,
  refusedBy: Route,
  error: unknown,
  how: { readonly entry: Entry | undefined; readonly isAgain: boolean },
) => Promise<Decided | undefined>;

/** How a line is decided whose words weren't understood. `decide`: how the sentence that it is, is. */
export function createDecideMeant(
  deps: SayNoDeps & { readonly readSentence: ReadSentence },
  decide: Decide,
): DecideMeant {
  return async (asked, refusedBy, error, { entry: refused, isAgain }) => {
    if (!(error instanceof Refusal) || !SLIPS.has(error.code) || asked.line === undefined) return undefined;
    const isNo = { isNo: true, isBegun: false, entry: refused };
    try {
      const meant = await deps.readSentence(asked, error.code);
      if (!meant) return undefined;
      // A sentence is answered: nothing was tried, and so nothing refused.
      if ('reply' in meant)
        return { ...isNo, reply: await showOnlyAllowed(deps, asked, meant.reply), entry: undefined };
      if ('buttons' in meant) {
        const no = await sayNo(deps, asked, refusedBy, error);
        // One way to say what may have been meant is enough.
        if (meant.isRepair && error.instead(asked.words).length > 0)
          return { reply: await remember(deps, asked, refusedBy, no), ...isNo };
        const more = await showOnlyAllowed(deps, asked, { lines: [], buttons: meant.buttons });
        const reply = withChoices(no, more.buttons ?? []);
        return { reply: await remember(deps, asked, refusedBy, reply), ...isNo };
      }
      const { ask, route } = meant;
      if ('refused' in meant) {
        const entry = createAttemptEntry(ask, route, deps.now).failed(meant.refused);
        return { reply: await sayNo(deps, ask, route, meant.refused), ...isNo, entry };
      }
      const decided = await decide(ask, route, { isAgain });
      return { ...decided, reply: decided.reply && withNote(decided.reply, meant.note) };
    } catch (failed) {
      if (isRedisAway(failed) && isWrittenDown(refusedBy, asked.words)) throw failed;
      const came = isAgain ? await cameBefore(refusing(deps), asked, refusedBy) : undefined;
      if (came) return { reply: came, isNo: false, isBegun: false, entry: refused && ofUnknown(refused) };
      const isGeneral = isWrite(refusedBy, asked.words);
      return { reply: await sayNo(deps, asked, refusedBy, failed), ...isNo, isGeneral };
    }
  };
}

/** An answer that says how the line was read as well. */
function withNote(answer: Message, note: Phrase | undefined): Message {
  if (!note) return answer;
  return { ...answer, note: answer.note ? say`${answer.note} · ${note}` : note };
}
