import { expect, test } from 'vitest';
import type { Ask } from '../../src/core/ask/ask.ts';
import type { HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { findButtonToken } from '../../src/core/operations/find-button-token.ts';
import { resolveAsk } from '../../src/core/lookup/resolve.ts';
import { operation } from '../operations/operation.ts';

const WEB: Instance = { id: '101', name: 'web-1', status: 'running', statusWord: 'running', can: {} };

/** What "Restart again" means on a card that ended unknown `agoMs` ago, both by Redis' clock. */
async function pressed(agoMs: number): Promise<Instance> {
  // Redis' clock is years behind this host's.
  const askedAt = 1_000_000_000_000;
  const lost = {
    ...operation({}),
    subject: { id: '101', name: 'web-1', status: 'running' },
    outcome: { result: 'unknown', code: 'no-answer', at: askedAt - agoMs },
  } as const;
  const hosting = { findInstance: async () => WEB } satisfies Partial<HostingService>;
  const offers = {
    find: async () => ({}),
    make: async () => 'x',
    put: async () => undefined,
    use: async () => 'x',
    useWith: async () => 'x',
    write: async () => undefined,
    list: async () => [],
  };
  const ask: Ask = {
    id: 'aBcDeFgHiJkLmNoPqRsTuV',
    route: 'instances.restart',
    words: [],
    value: lost.id,
    actor: { userId: 'U1' },
    place: { channelId: 'C1' },
    replaces: false,
    askedAt,
  };
  const buttonToken = await findButtonToken({ offers, operations: { find: async () => lost } }, ask);
  return resolveAsk(
    { hosting: hosting as unknown as HostingService },
    { verb: 'restart', routeId: 'instances.restart' },
    ask,
    { names: [], dryRun: false, buttonToken },
  );
}

test('a button on a card counts for a day by the clock of Redis, whatever the clock of the host says', async () => {
  expect(await pressed(60_000)).toEqual(WEB);
  await expect(pressed(25 * 3_600_000)).rejects.toThrow('button-expired');
});
