import { oneOf, PERSON } from '../../core/ask/mend-words.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { labelWithPeople } from '../../core/intake/with-people.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { askToTake, offerIdOf, seenHere } from './ask-to-take.ts';
import { HANDOVER_ROUTES, askedMessage, mineMessage } from './messages.ts';
import { HANDOVERS, messageIdOf, type HandoverDeps, listThings } from './things.ts';

/** `/lamplighter handover @bob`: all that is one's own, to somebody else; without anybody, what that is. */
export function handoverRoute(deps: HandoverDeps): Route {
  return {
    id: HANDOVER_ROUTES.handover,
    namesPeople: true,
    verb: 'handover',
    spoken: {
      orders: [
        ['(hand over|handover|hand off|hand) (everything|all|it|things|this)? (over)? to <who>', '{who}'],
        ['(hand|give|pass) (everything|all|it|things|this)? (over|on) to <who>', '{who}'],
        ['<who> (takes over|takes it over|is taking over)', '{who}'],
      ],
      asks: [
        ['(what|which) (things|thing|work)? (is|are) mine', ''],
        ['what (do|did|have) i (own|on|still have|on my plate|have open)', ''],
        ['(what|anything) (is|are)? (still)? on my plate', ''],
        'handover',
      ],
    },
    permission: 'operations:read',
    writes: (words) => words.length > 0,
    usage: '[@who]',
    summary: 'what is yours now; with someone or a user group, all of it passes to whoever presses I have it',
    label: (words, named) =>
      words.length > 0
        ? labelWithPeople(deps.people, 'hand over to', words.filter(isNoFiller), named)
        : undefined,
    came: async (ask) => {
      const offerId = offerIdOf(ask);
      const { what } = await deps.offers.find(HANDOVERS, offerId);
      const asked = await Promise.all(
        (['place', 'alone'] as const).map((where) => deps.outbox.find(messageIdOf(offerId, where))),
      );
      return what && asked.some((one) => one) ? askedMessage(offerId, what, [], []) : undefined;
    },
    handle: async (ask, audit) => {
      if (ask.words.length === 0) return showMine(deps, ask);
      const to = toWhom(ask.words);
      audit({ what: 'shown' });
      return askToTake(deps, ask, to);
    },
  };
}

function isNoFiller(word: string): boolean {
  return word.toLowerCase() !== 'to';
}

function toWhom(words: readonly string[]): Grantee {
  const [word = '', ...more] = words.filter(isNoFiller);
  const to = more.length === 0 ? granteeOf(word) : undefined;
  if (to) return to;
  throw new Refusal(
    'bad-argument',
    say`Who takes it over? Mention one person or a user group.`,
    oneOf([PERSON], []),
  );
}

async function showMine(deps: HandoverDeps, ask: Ask): Promise<Reply> {
  const { seen, unseen } = await seenHere(deps, ask, await listThings(deps, ask.actor.userId));
  return mineMessage(seen, unseen.length);
}
