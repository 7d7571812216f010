import { asTyped } from '../../core/ask/words.ts';
import { PRESSED } from '../../core/intake/late.ts';
import { cameLate, pressedLate } from '../../core/intake/messages.ts';
import { isWrite, type Route } from '../../core/intake/route.ts';
import { labelOf } from '../../core/intake/sentence-messages.ts';
import type { Bot } from '../../core/bot/bot.ts';

const LATE_ROUTE = 'lamplighter.late';

/** What a person reads of what they asked so long ago that nothing is begun of it: they ask again. */
export function lateRoute({ features }: Pick<Bot, 'features'>): Route {
  const find = (id: string | undefined): Route | undefined =>
    features()
      .flatMap(({ routes }) => routes)
      .find((one) => one.id === id);
  return {
    id: LATE_ROUTE,
    serves: 'late',
    verb: 'late',
    permission: undefined,
    writes: ([id, ...words]) => {
      const route = find(id);
      return route !== undefined && isWrite(route, words);
    },
    isWrittenDown: () => true,
    summary: 'answer what was asked while the bot was away',
    handle: async (ask, audit) => {
      const [id, ...words] = ask.words;
      const route = find(id);
      const at = ask.sentAt ?? ask.askedAt;
      audit({ what: 'expired', result: 'too-late', route: id ?? LATE_ROUTE, words: asTyped(words) });
      if (ask.value === PRESSED) return { lines: [pressedLate(at)] };
      // Of a sentence nobody knows by now what it meant.
      return { lines: [cameLate(route && (await labelOf(route, words, [])), at)] };
    },
  };
}
