import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import { batchSchema, newBatch } from '../../src/core/batches/batch.ts';
import { readStored, toStored } from '../../src/platform/redis/stored.ts';
import { confirms } from '../batches/fleet.ts';
import {
  answeredWith,
  botMessages,
  play,
  type PlayOptions,
  powerCalls,
  readAll,
} from '../support/sandbox.ts';

const PICK = 'Pick what to stop';

const FOUR = [
  instance(602, 'kiln', { dailyCredits: 30 }),
  instance(604, 'barn', { dailyCredits: 10 }),
  instance(601, 'mill', { dailyCredits: 40 }),
  instance(603, 'well', { dailyCredits: 20 }),
];

/** 1,000 credits that last for ten days at 100 a day. */
function playPlan({
  instances = FOUR,
  ...options
}: PlayOptions & { readonly instances?: readonly WorldInstance[] } = {}): Promise<Sandbox> {
  return play({
    ...options,
    hosting: { world: worldOf(instances), powerMs: 60, ...options.hosting },
    env: { LAMPLIGHTER_EVERYONE: 'admin', ...options.env },
  });
}

const listed = (sandbox: Sandbox, who = 'ana'): Promise<PostedMessage> =>
  answeredWith(sandbox, who, '/billing buy-time');

/** The ids that the select offers for what is typed. */
async function offered(sandbox: Sandbox, list: PostedMessage, typed = '', who = 'ana'): Promise<unknown[]> {
  const { options } = await sandbox.slack.person(who).searches(list, PICK, typed);
  return options.map((one) => one['value']);
}

/** Picks, presses Stop, and resolves once the list has given way to these words. */
async function stops(
  sandbox: Sandbox,
  list: PostedMessage,
  { ids, says, who = 'ana' }: { readonly ids: string; readonly says: string; readonly who?: string },
): Promise<void> {
  const person = sandbox.slack.person(who);
  if (ids !== '') await person.chooses(list, PICK, ids);
  await person.presses(list, 'Stop');
  await sandbox.slack.until(() => sandbox.slack.read(list).includes(says));
}

describe('what buys time', () => {
  it('is picked below what each would bring, what costs most first, shown, and stopped with one yes', async () => {
    const sandbox = await playPlan();
    const list = await listed(sandbox);
    expect(sandbox.slack.read(list)).toMatch(
      /mill \(601\): 40 credits a day, 6\.6 days more[^]*kiln[^]*barn/,
    );
    expect(await offered(sandbox, list, 'kil')).toEqual(['602']);
    expect(await offered(sandbox, list)).toEqual(['601', '602', '603', '604']);
    await stops(sandbox, list, { ids: '604,601', says: 'Stop 2 instances? Nothing has been done yet.' });
    const preview = sandbox.slack.read(list);
    expect(preview).toContain('Saves at most 50 credits a day.');
    expect(preview).toContain('about 20 days left');
    expect(powerCalls(sandbox)).toBe(0);
    await confirms(sandbox, list, 'Stop 2');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    expect(readAll(sandbox)[0]).toContain('Both stopped.');
    expect(readAll(sandbox)[0]).not.toMatch(/days|credits/);
    await sandbox.slack.person('ana').presses(botMessages(sandbox)[0]!, 'Start them again');
  });

  it('is not what is protected, or runs no longer; with nothing picked nothing is done, and the list comes back', async () => {
    const sandbox = await playPlan({ env: { LAMPLIGHTER_PROTECTED: 'mill' } });
    sandbox.hosting.removeInstance(604);
    const list = await listed(sandbox);
    expect(sandbox.slack.read(list)).toContain('1 of them is protected: it is stopped only by itself.');
    expect(await offered(sandbox, list)).toEqual(['602', '603']);
    expect(await offered(sandbox, list, 'mill')).toEqual([]);
    await stops(sandbox, list, { ids: '', says: 'Nothing was picked, so there is nothing to stop.' });
    await sandbox.slack.person('ana').presses(list, 'Back to the list');
    await sandbox.slack.until(() => sandbox.slack.read(list).includes('What stopping one saves at most'));
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is stopped one at a time where all but one are protected', async () => {
    const sandbox = await playPlan({ env: { LAMPLIGHTER_PROTECTED: 'mill,kiln,well' } });
    const text = sandbox.slack.read(await listed(sandbox));
    expect(text).not.toContain(PICK);
    expect(text).toContain('Stop mill | Stop kiln');
  });

  it('takes the count from ten on, and is exactly what was picked', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      instance(701 + index, `node-${index}`, { dailyCredits: 10 }),
    );
    const sandbox = await playPlan({ instances: many });
    const list = await listed(sandbox);
    const ids = many.slice(0, 11).map(({ id }) => String(id));
    await stops(sandbox, list, { ids: ids.join(), says: 'Stop 11 instances?' });
    await confirms(sandbox, list, 'Stop 11');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(11);
    expect(sandbox.hosting.countCalls('POST', /\/712\/stop$/)).toBe(0);
  });
});

it('who has lost the right to stop since the list came reads so, and nothing is stopped', async () => {
  const sandbox = await playPlan({
    env: { LAMPLIGHTER_EVERYONE: 'finance', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
  });
  const admin = sandbox.slack.person('admin');
  await admin.types('#ops', '/lamplighter access grant operator @bob');
  await sandbox.settled();
  const list = await listed(sandbox, 'bob');
  await admin.types('#ops', '/lamplighter access revoke operator @bob');
  await sandbox.settled();
  await stops(sandbox, list, { ids: '601', says: 'took your operator role back', who: 'bob' });
  expect(powerCalls(sandbox)).toBe(0);
});

it('who may see the money no more is offered nothing that says what costs most', async () => {
  const sandbox = await playPlan({
    env: { LAMPLIGHTER_EVERYONE: 'operator', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
  });
  const admin = sandbox.slack.person('admin');
  await admin.types('#ops', '/lamplighter access grant finance @bob');
  await sandbox.settled();
  const list = await listed(sandbox, 'bob');
  expect(await offered(sandbox, list, 'kil', 'bob')).toEqual(['602']);
  await admin.types('#ops', '/lamplighter access revoke finance @bob');
  await sandbox.settled();
  expect(await offered(sandbox, list, '', 'bob')).toEqual([]);
});

it('a batch that an earlier release began to save credits is read without the figures that it had', () => {
  const actor = { userId: 'U1' };
  const batch = newBatch({ id: 'b', kind: 'k', actor, place: { channelId: 'C1' }, atOnce: 1, items: [] }, 1);
  const figures = { balance: '1000', perDay: '100', costs: { '601': '40' } };
  expect(readStored(batchSchema, toStored({ ...batch, figures }))).toEqual(batch);
});
