import type { RequestDeps } from '../../core/changes/begin-change.ts';
import type { Change } from '../../core/changes/change.ts';
import { buttonTokenToRepeat } from '../../core/lookup/resolve.ts';
import { Refusal } from '../../core/refusal.ts';
import { cameLate, pressedLate } from '../../core/intake/messages.ts';
import { BUTTON_TOKENS } from '../../core/offers/button-token.ts';
import type { Feature } from '../../core/intake/feature.ts';
import { PRESSED } from '../../core/intake/late.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { isWrite, type Route } from '../../core/intake/route.ts';
import { labelOf } from '../../core/intake/sentence-messages.ts';
import { createFindNamed, type Named } from '../../core/intake/subject.ts';
import { typedButton } from '../../core/intake/typed-button.ts';
import { asTyped } from '../../core/ask/words.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Button } from '../../platform/slack/message.ts';
import { type Phrase, say, toPlainText } from '../../platform/slack/phrase.ts';

export interface LateDeps extends RequestDeps {
  /** Every verb that changes something. */
  readonly changes: readonly Change[];
  /** Every feature, this one included; asked at the first question. */
  readonly features: () => readonly Feature[];
}

const LATE_ROUTE = 'lamplighter.late';

/** What a person reads of what they asked so long ago that nothing is begun of it, with a button that does it after all. */
export function lateRoute(deps: LateDeps): Route {
  const find = (id: string | undefined): Route | undefined =>
    deps
      .features()
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
      // A sentence, of which nobody knows by now what it meant.
      if (!route) return { lines: [say`${cameLate(undefined, at)} Ask again if you still want it.`] };
      const asked: Ask = { ...ask, route: route.id, words };
      const exact = await exactly(deps, asked);
      if (exact) return { lines: [cameLate(exact.what, at)], buttons: [exact.button] };
      const label = isWrite(route, words)
        ? await labelOf(route, words, await namedIn(deps, asked))
        : 'Show it now';
      const button = await typedButton(deps.offers, label, asked);
      return { lines: [cameLate(undefined, at)], ...(button ? { buttons: [button] } : {}) };
    },
  };
}

/** The instances that its words name by their ids; none where Redis or Slack can't say. */
async function namedIn(deps: LateDeps, ask: Ask): Promise<readonly Named[]> {
  try {
    return await createFindNamed(deps)(ask, ask.words);
  } catch (error) {
    if (error instanceof Refusal || isRedisAway(error)) return [];
    throw error;
  }
}

/**
 * What a change of one exact instance is called, and a button for just that; undefined where the words mean something else, or
 * hold more than a button keeps, or this person may not do it: they are told no names.
 */
async function exactly(
  deps: LateDeps,
  ask: Ask,
): Promise<{ readonly what: Phrase; readonly button: Button } | undefined> {
  const change = deps.changes.find(({ id }) => id === ask.route);
  if (!change || ask.words.some((word) => word.startsWith('--'))) return undefined;
  try {
    const { instance, what, args } = await change.lookUp(deps, ask);
    const target = { id: instance.id, name: instance.name };
    const { channelId } = ask.place;
    if (!(await deps.access.check(ask.actor, change.permission, target, { channelId })).allowed)
      return undefined;
    const value = await deps.offers.make(
      BUTTON_TOKENS,
      buttonTokenToRepeat(instance, { args, place: ask.place }),
    );
    return { what, button: { label: capitalized(toPlainText(what)), routeId: change.id, value } };
  } catch (error) {
    if (error instanceof Refusal || error instanceof HostingError) return undefined;
    throw error;
  }
}

function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
