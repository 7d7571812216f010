import type { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/platform/slack/identity.ts';
import { createPeople, standingOf } from '../../src/platform/slack/people.ts';

const OURS = 'T1';
const WORKSPACE = { teamId: OURS };
const IN_ORGANIZATION = { teamId: OURS, enterpriseId: 'E1' };
const member = { id: 'U1', team_id: OURS };

test.each([
  ['a member', member, 'member'],
  ['a member without a team in the answer', { id: 'U1' }, 'member'],
  ['a member of the Grid', { id: 'W1', team_id: 'E1', enterprise_user: { teams: ['T0', OURS] } }, 'member'],
  [
    'somebody elsewhere in the Grid',
    { id: 'W1', team_id: 'E1', enterprise_user: { teams: ['T0'] } },
    'external',
  ],
  ['a guest', { ...member, is_restricted: true }, 'guest'],
  ['a guest of one channel', { ...member, is_ultra_restricted: true }, 'guest'],
  ['a stranger', { ...member, is_stranger: true }, 'external'],
  ['somebody of another workspace', { id: 'U1', team_id: 'T2' }, 'external'],
  ['a guest of another workspace', { id: 'U1', team_id: 'T2', is_restricted: true }, 'external'],
  ['a bot', { ...member, is_bot: true }, 'bot'],
  ['Slackbot, which Slack calls no bot', { id: 'USLACKBOT', team_id: OURS, is_bot: false }, 'bot'],
  ['somebody who left', { ...member, deleted: true }, 'deactivated'],
  ['a bot that was removed', { ...member, is_bot: true, deleted: true }, 'deactivated'],
])('%s is that', (_name, user, standing) => {
  expect(standingOf(user, WORKSPACE)).toBe(standing);
});

test('nobody with any mark against them is a member', () => {
  const flag = fc.boolean();
  const user = fc.record({
    id: fc.constant('U1'),
    team_id: fc.constantFrom(OURS, 'T2', 'E1'),
    deleted: flag,
    is_bot: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_stranger: flag,
  });
  fc.assert(
    fc.property(user, (one) => {
      const marked =
        one.deleted ||
        one.is_bot ||
        one.is_restricted ||
        one.is_ultra_restricted ||
        one.is_stranger ||
        one.team_id !== OURS;
      return (standingOf(one, WORKSPACE) === 'member') === !marked;
    }),
  );
});

describe('asking Slack', () => {
  function people(answer: () => unknown, workspace: Workspace = WORKSPACE) {
    let asked = 0;
    const web = {
      users: {
        info: async () => {
          asked += 1;
          return answer();
        },
      },
    } as unknown as WebClient;
    const identity = { workspace: () => Promise.resolve(workspace), known: () => undefined };
    return { people: createPeople(web, identity), asked: () => asked };
  }

  test('happens once a minute for each person', async () => {
    const { people: them, asked } = people(() => ({ ok: true, user: member }));
    for (let time = 0; time < 5; time++) expect(await them.standing('U1', OURS)).toBe('member');
    expect(asked()).toBe(1);
  });

  test('happens once for all who want to know at the same moment, but again for what must be fresh', async () => {
    const { people: them, asked } = people(() => ({ ok: true, user: member }));
    const both = [them.standing('U1', OURS), them.zone('U1')] as const;
    expect(await Promise.all([...both, them.standing('U1', OURS, true)])).toEqual([
      'member',
      undefined,
      'member',
    ]);
    expect(asked()).toBe(2);
  });

  test('is not needed for a click from another workspace, no matter who they were before', async () => {
    const { people: them, asked } = people(() => ({ ok: true, user: member }));
    expect(await them.standing('U1', OURS)).toBe('member');
    expect(await them.standing('U1', 'T2')).toBe('external');
    expect(asked()).toBe(1);
  });

  describe('in an organization, for a click from', () => {
    const grace = (teams: readonly string[], enterpriseId?: string): object => ({
      id: 'W1',
      team_id: 'T2',
      enterprise_user: { teams, ...(enterpriseId === undefined ? {} : { enterprise_id: enterpriseId }) },
    });
    test.each([
      ['another workspace of it, of a member', 'T2', grace(['T2', OURS], 'E1'), 'member'],
      ['ours, of somebody at home in another', OURS, grace(['T2', OURS], 'E1'), 'member'],
      ['the organization itself, of a member', 'E1', grace(['T2', OURS], 'E1'), 'member'],
      ['another workspace of it, where Slack names no organization', 'T2', grace(['T2', OURS]), 'member'],
      ['another workspace of it, of nobody in ours', 'T2', grace(['T2'], 'E1'), 'external'],
      ['another workspace, of somebody in no organization', 'T2', member, 'external'],
      ['another organization, whatever workspaces it lists', 'T2', grace(['T2', OURS], 'E2'), 'external'],
      ['another organization, by its own id', 'E2', grace(['T2', OURS], 'E2'), 'external'],
      [
        'another workspace of it, of a stranger',
        'T2',
        { ...grace(['T2', OURS], 'E1'), is_stranger: true },
        'external',
      ],
      [
        'another workspace of it, of a guest',
        'T2',
        { ...grace(['T2', OURS], 'E1'), is_restricted: true },
        'guest',
      ],
    ])('%s', async (_name, teamId, user, standing) => {
      const { people: them } = people(() => ({ ok: true, user }), IN_ORGANIZATION);
      expect(await them.standing('W1', teamId)).toBe(standing);
    });

    test('another workspace, a look-up that fails is no standing', async () => {
      const { people: them } = people(() => ({}), IN_ORGANIZATION);
      await expect(them.standing('W1', 'T2')).rejects.toThrow();
    });
  });

  test.each([
    undefined,
    null,
    {},
    { user: null },
    { user: {} },
    { user: { id: 7 } },
    { user: { id: 'U1', deleted: 'no' } },
  ])('and the answer %j tells nothing, and is not remembered', async (answer) => {
    const { people: them, asked } = people(() => answer);
    await expect(them.standing('U1', OURS)).rejects.toThrow();
    await expect(them.standing('U1', OURS)).rejects.toThrow();
    expect(asked()).toBe(2);
  });
});
