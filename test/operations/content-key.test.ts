import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentKey } from '../../src/core/operations/content-key.ts';
import { endedCard, deadLetteredCard } from '../../src/core/operations/messages.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { contentHash } from '../../src/core/outbox/message-source.ts';
import { createDice } from '../attacks/dice.ts';
import { foreignOf, operationOf } from '../attacks/foreign-things.ts';
import { everyKind } from '../support/kinds.ts';
import { noHosting } from '../support/no-hosting.ts';
import { runs } from '../support/runs.ts';
import { timings } from './operation.ts';

const KINDS = everyKind({
  hosting: noHosting(),
  observer: { observe: () => Promise.reject(new Error('nothing is looked at')) },
  timings,
});

/** What may change from one step to the next. */
const CHANGES: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    state: fc.constantFrom('requested', 'sending', 'unknown', 'accepted', 'ended'),
    sends: fc.nat(3),
    answerStatus: fc.option(fc.constantFrom(200, 503), { nil: undefined }),
    answerSaid: fc.option(fc.constantFrom('no', 'locked'), { nil: undefined }),
    nextAt: fc.nat(),
    polls: fc.nat(9),
    failedPolls: fc.nat(9),
    hasProgressed: fc.boolean(),
    slow: fc.boolean(),
    isDown: fc.constantFrom(true, undefined),
    sentAt: fc.nat(),
  }),
  fc.record({ progressWord: fc.constantFrom('restarting', 'unhealthy') }),
  fc.record({
    lastState: fc.record({
      status: fc.constantFrom('running', 'restarting', 'stopped', 'gone'),
      word: fc.constantFrom('running', 'restarting', 'Stopped'),
      health: fc.constantFrom('healthy', 'unhealthy'),
      at: fc.nat(),
    }),
  }),
  fc.record({ cancelWindowEndsAt: fc.constantFrom(30_000, 60_000) }),
  fc.record({
    queued: fc.record({ since: fc.nat(), place: fc.nat(3), waitMs: fc.constantFrom(1_000, 60_000) }),
  }),
  fc.record({ followers: fc.constant(['U2']) }),
  fc.record({ canceledBy: fc.constantFrom('U1', 'U2') }),
  fc.record({ deadLetteredAt: fc.nat() }),
);

const IN_EFFECT = ['state', 'signWord', 'lastState'];

function after(operation: Operation, step: object): Operation {
  const isOfEffect = Object.keys(step).some((name) => IN_EFFECT.includes(name));
  return isOfEffect
    ? { ...operation, execution: { ...operation.execution, ...step } }
    : { ...operation, ...step };
}

test('cards of equal keys say the same, whatever has changed in the record', () => {
  let equal = 0;
  fc.assert(
    fc.property(fc.nat(), CHANGES, fc.constantFrom(...KINDS), (seed, step, kind) => {
      const before = operationOf(createDice(seed), foreignOf(createDice(seed)));
      const now = after(before, step);
      if (contentKey(before) !== contentKey(now)) return;
      equal += 1;
      const card = (one: Operation): string => {
        if (one.deadLetteredAt !== undefined) return contentHash(deadLetteredCard(one, kind));
        return contentHash(one.outcome ? endedCard(one, one.outcome, kind, 'story') : kind.card(one));
      };
      expect(card(now)).toBe(card(before));
    }),
    { numRuns: runs(20_000) },
  );
  // Steps that change nothing on the card are what the key is for.
  expect(equal).toBeGreaterThan(runs(20_000) / 20);
});
