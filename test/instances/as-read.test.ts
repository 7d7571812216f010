import { expect, it } from 'vitest';
import { forceChanges } from '../../src/features/instances/force.ts';
import { allowing } from '../support/allowing.ts';
import { anAsk } from '../support/an-ask.ts';

const ACTOR = { userId: 'U1' };
const INSTANCE = { id: '1', name: 'web-1', status: 'running', createdAt: 'x', can: { restart: true } };
const AS_READ = { kind: 'newest', key: 'past', code: 'overtaken', wanted: '' };
const ASK = anAsk({ value: 'c', actor: ACTOR, askedAt: 1 });
const nothing = (): undefined => undefined;

/** A forced restart, and what each operation that it begins hangs on. */
function forcedRestart() {
  const begun: unknown[] = [];
  const hosting = { about: { offers: { forcing: ['restart'] } }, findInstance: async () => INSTANCE };
  const clock = { now: () => 1 };
  const shown = { instance: INSTANCE, args: {}, actor: ACTOR, routeId: ASK.route, expiresAt: 2 };
  const deps = {
    hosting,
    clock,
    timings: { confirmWithinMs: 1 },
    access: allowing(),
    offers: { find: async () => ({ what: shown }) },
    approvalRules: () => [],
    waysBack: {},
    operations: {
      findHolder: async () => undefined,
      find: async () => undefined,
      begin: async (_operation: object, { asRead }: { readonly asRead?: unknown }) => {
        begun.push(asRead);
        return { result: 'begun' };
      },
    },
  };
  const past = { read: async () => ({ past: [], asRead: AS_READ }) };
  const [change] = forceChanges({ hosting, clock, past } as never); // nothing else is used
  return { change: change!, deps: deps as never, begun };
}

it('a forced restart that was confirmed begins only by what was read of its instance', async () => {
  const { change, deps, begun } = forcedRestart();
  await change.routes(deps)[0]?.handle(ASK, nothing);
  expect(begun).toEqual([AS_READ]);
});

it('a forced restart that was approved begins only by what was read of its instance', async () => {
  const { change, deps, begun } = forcedRestart();
  const approval = {
    id: 'p',
    what: [],
    instance: INSTANCE,
    actor: ACTOR,
    args: {},
    place: ASK.place,
    askedAt: 1,
  };
  await change.approve(deps, ASK, approval as never, nothing);
  expect(begun).toEqual([AS_READ]);
});
