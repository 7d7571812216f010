import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { scopeOf, scopedTo } from '../../src/platform/redis/key.ts';
import { playTwoAccounts } from '../accounts/two-accounts.ts';
import { instead } from '../support/instead.ts';
import { FAST, play } from '../support/sandbox.ts';

/** A bot that is cut off once it has carried out its first request, before it writes down the answer. What comes meanwhile is answered. */
function cutOff(meanwhile: () => Promise<unknown>): FaultPoints {
  let isCut = false;
  return instead('requests', 'decide', async (own, ...asked) => {
    if (isCut) return (own as RequestStore).decide(...(asked as Parameters<RequestStore['decide']>));
    isCut = true;
    await meanwhile();
    throw new Error('Connection is closed.');
  });
}

/** How often each request has set something, by the audit. */
async function timesSet({ redisUrl }: Sandbox, scope = ''): Promise<readonly number[]> {
  const connection = connectBlocking({ url: redisUrl }, () => undefined);
  const rows = await scopedTo(scope, connection).xrange(auditKeys.entries, '-', '+');
  connection.disconnect();
  const entries = rows.map(([, row]): { what: string; requestId: string } =>
    JSON.parse(row[row.indexOf('e') + 1] ?? ''),
  );
  const set = entries.filter(({ what }) => what === 'set').map(({ requestId }) => requestId);
  return [...new Set(set)].map((id) => set.filter((one) => one === id).length);
}

/** What somebody reads in a place after a line of theirs. */
async function says({ slack }: Sandbox, where: string, line: string, who = 'admin'): Promise<string> {
  const person = slack.person(who);
  const read = (): readonly string[] =>
    (where === 'dm' ? person.dms : slack.channel(where).ephemeralFor(who)).map((one) => slack.read(one));
  const before = read().length;
  await person.types(where, line);
  await slack.until(() => read().length > before);
  return read().slice(before).join('\n');
}

/** What is set, what is set in its place before the run that comes again, and what stands then. */
const SETTINGS = [
  ['dm', 'billing digest', 'weekly mon 09:00 in #ops', 'weekly fri 16:00 in #ops', 'every Friday at 16:00'],
  ['dm', 'billing budget', 'all 500', 'all 700', '700 credits'],
  ['dm', 'billing budget', 'all 500', 'all off', 'There are no budgets yet'],
  ['dm', 'billing alerts', 'set warn 9d', 'set warn 8d', '8 days'],
  ['dm', 'billing proposals', 'off', 'on', /^(?!.*Proposals are off)/],
  ['dm', 'lamplighter freeze', 'for 2h "release"', 'for 3h on web-* "moves"', /release[^]*moves/],
  ['#ops', 'lamplighter oncall', 'quiet 22:00-07:00', 'quiet 23:00-06:00', '23:00'],
] as const;

it.each(SETTINGS)(
  'in %s: "%s %s" is set once, however often its request is carried out, and "%s" stays as it was set since',
  async (where, verb, first, next, stands) => {
    const sandbox = await play({ bot: false, env: { LAMPLIGHTER_EVERYONE: 'admin' }, timings: FAST });
    await sandbox.startBot(
      {},
      cutOff(() => says(sandbox, where, `/${verb} ${next}`)),
    );
    await says(sandbox, where, `/${verb} ${first}`);
    await sandbox.settled();
    expect(await timesSet(sandbox)).toEqual([1, 1]);
    const shown = await says(sandbox, where, `/${verb}`);
    if (typeof stands === 'string') expect(shown).toContain(stands);
    else expect(shown).toMatch(stands);
  },
);

it('none of them is set by somebody who may only see instances', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  for (const [where, verb, first] of SETTINGS)
    expect(await says(sandbox, where, `/${verb} ${first}`, 'ana'), verb).toMatch(/You need the \w+ role/);
  expect(await timesSet(sandbox)).toEqual([]);
});

it.each([
  ['set', '/lamplighter default labs', '/lamplighter labs:default none', 'No one has set a default account'],
  ['removed', '/lamplighter labs:default none', '/lamplighter default labs', 'labs is the default account'],
])('a default account is %s once, whatever others have set since', async (how, first, next, stands) => {
  const { sandbox } = await playTwoAccounts((idOf) => ({ labs: { default_in: [idOf('#ops')] } }), {
    bot: false,
    timings: FAST,
  });
  await sandbox.startBot(
    {},
    cutOff(() => says(sandbox, '#ops', next)),
  );
  await says(sandbox, '#ops', first);
  await sandbox.settled();
  expect(await timesSet(sandbox, scopeOf('labs'))).toEqual([1, 1]);
  expect(await says(sandbox, '#ops', '/lamplighter labs:default'), how).toContain(stands);
});
