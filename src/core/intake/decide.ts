import type { Rule } from '../policy/decide.ts';
import { isChange } from '../policy/permissions.ts';
import { Refusal } from '../refusal.ts';
import type { RefusalCode } from '../refusal-words.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { createAttemptEntry, ofUnknown } from './attempt-entry.ts';
import { cameBefore } from './came-before.ts';
import { createDecideMeant } from './decide-meant.ts';
import type { Decide } from './decided.ts';
import { remember } from './remember.ts';
import { completePick } from './complete-pick.ts';
import { refuseWordsAfter } from './no-words.ts';
import { isWrite, isWrittenDown, permissionFor } from './route.ts';
import { isGeneralNo, refusing, sayNo, type SayNoDeps, showOnlyAllowed } from './say-no.ts';
import type { ReadSentence } from './sentence.ts';

export function createDecide(deps: SayNoDeps & { readonly readSentence: ReadSentence }): Decide {
  const { access, offers, log } = deps;
  const decideMeant = createDecideMeant(deps, (...asked) => decide(...asked));
  const decide: Decide = async (asked, route, { mayWait = () => false, isAgain = false } = {}) => {
    // The audit keeps the words as they were typed.
    const attempt = createAttemptEntry(asked, route, deps.now);
    let ask = asked;
    let by: Rule | undefined;
    try {
      const permission = permissionFor(route, ask.words);
      if (permission !== undefined) {
        const channelId = (await route.askedIn?.(ask)) ?? ask.place.channelId;
        const at = { channelId, route: route.id, operationId: ask.id };
        const rule = await access.require(ask.actor, permission, 'any', at);
        // What changes an instance uses it up where its operation begins.
        if (!isChange(permission)) by = rule;
      }
      refuseWordsAfter(route, ask.words);
      ask = await deps.resolveThis(asked, route);
      const reply = await route.handle(await completePick(offers, ask), attempt.audit, by);
      await access.use([by], ask.id);
      log.info({ request: ask.id, route: route.id, by: ask.actor.userId }, 'answered');
      return {
        reply: reply && (await remember(deps, ask, route, await showOnlyAllowed(deps, ask, reply))),
        isNo: false,
        isBegun: attempt.isBegun(),
        entry: attempt.done(),
      };
    } catch (error) {
      if (isRedisAway(error) ? isWrittenDown(route, ask.words) : mayWait(error)) throw error;
      const entry = attempt.failed(error);
      const meant = await decideMeant(asked, route, error, { entry, isAgain });
      if (meant) return meant;
      const mayBeOwn = isAgain && (isGeneralNo(error) || isOver(error));
      const came = mayBeOwn ? await cameBefore(refusing(deps), ask, route) : undefined;
      if (came) return { reply: came, isNo: false, isBegun: false, entry: entry && ofUnknown(entry) };
      const reply = await remember(deps, ask, route, await sayNo(deps, ask, route, error));
      const isGeneral = (isGeneralNo(error) || isOver(error)) && isWrite(route, ask.words);
      return { reply, isNo: true, isGeneral, isBegun: false, entry };
    }
  };

  return decide;
}

/** Refusals that say that something has ended or changed, which an earlier run of the same request may have done. */
const OVER: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'over',
  'gone',
  'changed',
  'no-watch',
  'answered-already',
]);

function isOver(error: unknown): boolean {
  return error instanceof Refusal && OVER.has(error.code);
}
