import { describe, expect, test } from 'vitest';
import { type Access, createAccess } from '../../src/core/policy/access.ts';
import type { AccessRecord } from '../../src/core/policy/access-record.ts';
import type { Policy } from '../../src/core/policy/decide.ts';
import type { Standing } from '../../src/platform/slack/people.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { toText } from '../../src/platform/slack/phrase.ts';

const ana = { userId: 'U1', teamId: 'T1' };
/** Nothing here goes by labels. */
const never = (): Promise<never> => Promise.reject(new Error('the service was asked'));
const EMPTY: AccessRecord = { grants: [], freezes: [] };

interface World {
  readonly standing?: () => Promise<Standing>;
  readonly members?: () => Promise<ReadonlySet<string>>;
  readonly record?: () => Promise<AccessRecord>;
}

function open(
  fixed: Partial<Policy>,
  { standing, members, record }: World,
): { access: Access; asked: [string, string | undefined][]; logged: string[]; groupReads: () => number } {
  const asked: [string, string | undefined][] = [];
  const logged: string[] = [];
  let reads = 0;
  const access = createAccess({
    fixed: () => ({ admins: [], everyone: 'none', channels: {}, ...fixed }),
    people: {
      standing: (userId, teamId) => {
        asked.push([userId, teamId]);
        return standing ? standing() : Promise.resolve('member');
      },
    },
    userGroups: {
      members: async () => {
        reads += 1;
        return members ? members() : new Set<string>();
      },
    },
    store: {
      get: record ?? (() => Promise.resolve(EMPTY)),
      change: () => Promise.resolve(undefined),
      moving: () => Promise.resolve(undefined),
    },
    marks: { listInstances: never, findInstance: never },
    now: () => 1_000,
    log: { limited: (about) => void logged.push(about) },
  });
  return { access, asked, logged, groupReads: () => reads };
}

async function refused(fixed: Partial<Policy>, world: World): Promise<string> {
  const ended: unknown = await open(fixed, world)
    .access.require(ana, 'instances:power', 'any')
    .catch((error: unknown) => error);
  if (!(ended instanceof Refusal)) throw new Error('not refused', { cause: ended });
  expect(['no-right', 'not-checked']).toContain(ended.code);
  return ended.answer.lines.map(toText).join('\n');
}

describe('where Slack cannot say who somebody is', () => {
  test.each([new Error('slack is down'), undefined, 'a text'])('they are denied (%s)', async (reason) => {
    const failing = { standing: (): Promise<never> => Promise.reject(reason) };
    const { access } = open({ everyone: 'admin' }, failing);
    expect(await access.check(ana, 'instances:read', 'any')).toEqual({
      allowed: false,
      reason: 'not checked',
    });
    expect(await refused({ everyone: 'admin' }, failing)).toContain('nothing was done');
  });

  test('the log says once with what code Slack failed', async () => {
    const { access, logged } = open(
      { everyone: 'admin' },
      { standing: () => Promise.reject(new SlackError('missing_scope', { outcome: 'not-done' })) },
    );
    await access.check(ana, 'instances:read', 'any');
    expect(logged).toEqual(['checking a role with Slack: missing_scope']);
  });

  test('a configured admin is not asked about, and is let in', async () => {
    const { access, asked } = open({ admins: ['U1'] }, { standing: () => Promise.reject(new Error('down')) });
    expect(await access.check(ana, 'instances:power', 'any')).toEqual({
      allowed: true,
      rule: { by: 'admins' },
    });
    expect(asked).toEqual([]);
  });

  test('a failure that is thrown rather than promised lets nobody in either', async () => {
    const { access } = open(
      { everyone: 'admin' },
      {
        standing: () => {
          throw new Error('thrown');
        },
      },
    );
    expect((await access.check(ana, 'instances:read', 'any')).allowed).toBe(false);
  });
});

test('where the record of roles cannot be read nobody is let in by one, and everybody reads why', async () => {
  const away = { record: (): Promise<never> => Promise.reject(new Error('Connection is closed.')) };
  expect(await refused({ everyone: 'operator' }, away)).toBe(
    "I couldn't check your role, because I can't reach my database right now, so nothing was done. Try again in a minute.",
  );
  const { access } = open({ everyone: 'viewer' }, away);
  expect((await access.check(ana, 'instances:read', 'any')).allowed).toBe(true);
});

test('where roles are kept in a file, those of the record do not count, and the file is read without it', async () => {
  const grant = { id: 'g', role: 'operator', to: { userId: 'U1' }, by: 'policy', at: 0 } as const;
  const file = { grants: [grant], rolesFile: 'policy.yaml' };
  const given: AccessRecord = { ...EMPTY, grants: [{ ...grant, role: 'admin', by: 'U9' }] };
  const known = open(file, { record: () => Promise.resolve(given) });
  expect(await known.access.check(ana, 'instances:power', 'any')).toEqual({
    allowed: true,
    rule: { by: 'grant', grant },
  });
  expect((await known.access.check(ana, 'instances:delete', 'any')).allowed).toBe(false);
  const away = { record: (): Promise<never> => Promise.reject(new Error('Connection is closed.')) };
  expect((await open(file, away).access.check(ana, 'instances:read', 'any')).allowed).toBe(true);
  // What is frozen stands in the record alone.
  expect(await refused(file, away)).toContain(
    "because I can't reach my database right now, so nothing was done.",
  );
});

test('a user group is read once it can matter, and one that cannot be read lets nobody in', async () => {
  const grant = { id: 'g', role: 'operator', to: { groupId: 'S1' }, by: 'U9', at: 0 } as const;
  const record = (): Promise<AccessRecord> => Promise.resolve({ ...EMPTY, grants: [grant] });
  const is = open({}, { record, members: () => Promise.resolve(new Set(['U1'])) });
  expect((await is.access.check(ana, 'instances:power', 'any')).allowed).toBe(true);
  expect((await is.access.check(ana, 'billing:read', 'any')).allowed).toBe(false);
  expect(is.groupReads()).toBe(1);
  expect(await refused({}, { record, members: () => Promise.reject(new Error('down')) })).toContain(
    "I couldn't check your role with Slack",
  );
});

test('Slack is asked with the person and the team of the click, each time', async () => {
  const { access, asked } = open({ everyone: 'operator' }, {});
  await access.require(ana, 'instances:power', { id: '1', name: 'web-1' });
  await access.require({ userId: 'U2' }, 'instances:read', 'any');
  expect(asked).toEqual([
    ['U1', 'T1'],
    ['U2', undefined],
  ]);
});

test('Slack is not asked where its answer can not matter', async () => {
  const { access, asked } = open({}, {});
  await access.check(ana, 'instances:read', 'any');
  expect(asked).toEqual([]);
});

describe('a refusal says', () => {
  test('which role is missing, and who can give it', async () => {
    expect(await refused({ admins: ['U8', 'U9'], everyone: 'viewer' }, {})).toBe(
      'You need the operator role to start, stop or restart instances. <@U8>, <@U9> can help.',
    );
  });
  test('that there is nobody who could, where there is nobody', async () => {
    expect(await refused({}, {})).toBe(
      'You need the operator role to start, stop or restart instances. Nobody is an admin yet: the person who runs this bot can name admins in LAMPLIGHTER_ADMINS.',
    );
  });
  test('that guests need a role of their own', async () => {
    const guest = { standing: (): Promise<Standing> => Promise.resolve('guest') };
    expect(await refused({ admins: ['U9'], everyone: 'operator' }, guest)).toMatch(
      /^You need to be a full member of this workspace/,
    );
  });
  test('at most five names', async () => {
    const admins = Array.from({ length: 50 }, (_, index) => `U9${index}`);
    expect((await refused({ admins }, {})).match(/<@/g)).toHaveLength(5);
  });
});
