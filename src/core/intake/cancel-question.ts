import { CANCEL_QUESTION } from '../ask/question.ts';
import { cancelOffered } from '../offers/canceled.ts';
import type { Offers } from '../offers/offers.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Route } from './route.ts';

/** The button "Cancel" of everything that asks. */
export function cancelQuestionRoute({ offers }: { readonly offers: Offers }): Route {
  return {
    id: CANCEL_QUESTION,
    verb: 'cancel the question',
    permission: undefined,
    writes: false,
    summary: 'leave everything as it is',
    handle: async (ask) => {
      await cancelOffered(offers, ask, ask.value);
      return { lines: [say`Canceled. Nothing was changed.`] };
    },
  };
}
