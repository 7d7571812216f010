import { expect, test } from 'vitest';
import { ownOf } from '../../src/core/accounts/choose.ts';
import type { AccessRecord } from '../../src/core/policy/access-record.ts';

const HERE = 'C0OPS000001';

/** An account that was made the channel's default at a moment, or by the file. */
function account(name: string, { at, inFile = false }: { at?: number; inFile?: boolean } = {}) {
  const set = { channelId: HERE, isDefault: true, by: 'U0ADA000001', at: at ?? 0 };
  const record: AccessRecord = {
    grants: [],
    freezes: [],
    defaults: at === undefined ? [] : [set],
  };
  return {
    account: { name, always: [], defaultIn: inFile ? [HERE] : [] },
    accessStore: { get: async (): Promise<AccessRecord> => record },
  };
}

// Two accounts can't show it: where one of them is out of reach, the other is meant anyway.
test.each([
  ['was set last', account('beta', { at: 2 })],
  ['stands in the file', account('beta', { inFile: true })],
])('a default that %s and that its reader can not reach gives way to none', async (how, beta) => {
  const acme = account('acme', how === 'was set last' ? { at: 1 } : {});
  const labs = account('labs');
  const all = [acme, beta, labs];
  expect(await ownOf(all, [acme, labs], { userId: 'U0ANA000001', channelId: HERE })).toBeUndefined();
  expect(await ownOf(all, all, { userId: 'U0ANA000001', channelId: HERE })).toBe(beta);
});
