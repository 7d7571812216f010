import type { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPeople, type People, type Standing, standingOf } from '../../src/platform/slack/people.ts';
import { readPage } from '../../src/platform/slack/people-list.ts';
import { runs } from '../support/runs.ts';

const OURS = 'T1';
const FEW = 5;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Call {
  readonly limit: number;
  readonly cursor?: string;
}
type List = (call: Call) => Promise<unknown>;

const idOf = (index: number): string => `U${index}`;
const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => idOf(index));
const member = (id: string): Record<string, unknown> => ({ id, team_id: OURS });
const pageOf = (members: readonly unknown[], next = ''): object => ({
  ok: true,
  members,
  response_metadata: { next_cursor: next },
});

/** A Slack that knows everybody it is asked about alone, and gives such a list. */
function slackWith(list: List): { people: People; alone: string[]; pages: Call[] } {
  const alone: string[] = [];
  const pages: Call[] = [];
  const web = {
    users: {
      info: async ({ user }: { user: string }) => {
        alone.push(user);
        return { ok: true, user: member(user) };
      },
      list: (call: Call) => {
        pages.push(call);
        return list(call);
      },
    },
  } as unknown as WebClient;
  const identity = { workspace: () => Promise.resolve({ teamId: OURS }), known: () => undefined };
  return { people: createPeople(web, identity), alone, pages };
}

const standings = (people: People, ids: readonly string[]): Promise<Standing[]> =>
  Promise.all(ids.map((id) => people.standing(id, OURS)));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

describe('who asks', () => {
  const all = idsOf(500);

  it('with a few others is asked about alone', async () => {
    const { people, alone, pages } = slackWith(async () => pageOf([]));
    await standings(people, idsOf(FEW));
    expect([alone, pages]).toEqual([idsOf(FEW), []]);
  });

  it('with many others is looked up with them, by one reading, which is good for a minute', async () => {
    const { people, alone, pages } = slackWith(async () => pageOf(all.map(member)));
    for (let times = 0; times < 3; times += 1)
      expect(new Set(await standings(people, all))).toEqual(new Set(['member']));
    expect([alone, pages]).toEqual([idsOf(FEW), [{ limit: 999 }]]);
    vi.advanceTimersByTime(MINUTE);
    await standings(people, all);
    expect([alone.length, pages.length]).toEqual([2 * FEW, 2]);
  });

  it('a while after the others is asked about alone', async () => {
    const { people, alone, pages } = slackWith(async () => pageOf([]));
    for (const id of idsOf(20)) {
      await people.standing(id, OURS);
      vi.advanceTimersByTime(2 * SECOND + 1);
    }
    expect([alone.length, pages]).toEqual([20, []]);
  });

  it('on a later page of the list is found there, and a page that is asked for names the one before', async () => {
    const { people, alone, pages } = slackWith(async ({ cursor }) =>
      cursor === undefined
        ? pageOf(all.slice(0, 250).map(member), 'second')
        : pageOf(all.slice(250).map(member)),
    );
    await standings(people, all);
    expect([alone.length, pages]).toEqual([FEW, [{ limit: 999 }, { limit: 999, cursor: 'second' }]]);
  });

  it('is seen in the list by the same rules as alone', async () => {
    const { people, alone } = slackWith(async () =>
      pageOf([
        ...all.slice(0, 10).map(member),
        { ...member('guest'), is_restricted: true },
        { ...member('single'), is_ultra_restricted: true },
        { ...member('robot'), is_bot: true },
        { ...member('gone'), deleted: true },
        { ...member('stranger'), team_id: 'T2' },
      ]),
    );
    const listed = ['guest', 'single', 'robot', 'gone', 'stranger'];
    await standings(people, all.slice(0, 10));
    expect(await standings(people, listed)).toEqual(['guest', 'guest', 'bot', 'deactivated', 'external']);
    expect(alone).toEqual(idsOf(FEW));
  });

  it('is asked about alone where the list does not have them, and the list is not read for them again', async () => {
    const { people, alone, pages } = slackWith(async () => pageOf(all.slice(0, 10).map(member)));
    await standings(people, all.slice(0, 10));
    await standings(people, ['stranger', 'other']);
    expect([alone, pages.length]).toEqual([[...idsOf(FEW), 'stranger', 'other'], 1]);
  });

  it('is asked about alone where the list says nothing readable of them, and spoils it for nobody', async () => {
    const unreadable = [null, 'U8', [], {}, { ...member('U9'), deleted: 'no' }];
    const { people, alone } = slackWith(async () => pageOf([...unreadable, ...all.slice(0, 8).map(member)]));
    await standings(people, all.slice(0, 10));
    expect(alone).toEqual([...idsOf(FEW), 'U8', 'U9']);
  });
});

describe('what must be fresh', () => {
  it('is never answered from the list', async () => {
    const { people, alone } = slackWith(async () => pageOf(idsOf(20).map(member)));
    await standings(people, idsOf(20));
    expect(await people.standing('U12', OURS, true)).toBe('member');
    expect(alone).toEqual([...idsOf(FEW), 'U12']);
  });

  it('is not forgotten for a list that was asked for earlier and comes later', async () => {
    let answer = (_page: object): void => undefined;
    const { people } = slackWith(() => new Promise((resolve) => (answer = resolve)));
    const others = standings(people, idsOf(20));
    await vi.advanceTimersByTimeAsync(1);
    expect(await people.standing('U30', OURS, true)).toBe('member');
    answer(pageOf([...idsOf(20).map(member), { ...member('U30'), is_restricted: true }]));
    await others;
    expect(await people.standing('U30', OURS)).toBe('member');
  });
});

describe('a list', () => {
  const crowd = idsOf(20);
  const everybodyIsAskedAbout = async (people: People): Promise<void> => {
    expect(new Set(await standings(people, crowd))).toEqual(new Set(['member']));
  };

  it.each([
    ['is refused', () => Promise.reject(new Error('missing_scope'))],
    ['is no list', async () => ({ ok: true })],
    [
      'has a cursor that is none',
      async () => ({ ok: true, members: [], response_metadata: { next_cursor: 7 } }),
    ],
  ])('that %s is left alone for ten minutes, and everybody is asked about alone', async (_what, list) => {
    const { people, alone, pages } = slackWith(list);
    for (let minutes = 0; minutes < 10; minutes += 2) {
      await everybodyIsAskedAbout(people);
      vi.advanceTimersByTime(2 * MINUTE);
    }
    expect([alone.length, pages.length]).toEqual([5 * crowd.length, 1]);
    await everybodyIsAskedAbout(people);
    expect(pages).toHaveLength(2);
  });

  it('that Slack does not have at all is no fault', async () => {
    const info = async ({ user }: { user: string }): Promise<object> => ({ user: member(user) });
    const identity = { workspace: () => Promise.resolve({ teamId: OURS }), known: () => undefined };
    await everybodyIsAskedAbout(createPeople({ users: { info } } as unknown as WebClient, identity));
  });

  it('without an end is read for five pages and left alone for an hour; who stood there is known', async () => {
    const { people, alone, pages } = slackWith(async () => pageOf(crowd.slice(0, 10).map(member), 'more'));
    await everybodyIsAskedAbout(people);
    expect([alone, pages.length]).toEqual([[...idsOf(FEW), ...crowd.slice(10)], 5]);
    vi.advanceTimersByTime(HOUR - 1);
    await everybodyIsAskedAbout(people);
    expect(pages).toHaveLength(5);
    vi.advanceTimersByTime(MINUTE);
    await everybodyIsAskedAbout(people);
    expect(pages).toHaveLength(10);
  });

  it('that is slow holds nobody for more than two seconds, and counts once it is there', async () => {
    let answer = (_page: object): void => undefined;
    const { people, alone, pages } = slackWith(() => new Promise((resolve) => (answer = resolve)));
    const first = everybodyIsAskedAbout(people);
    await vi.advanceTimersByTimeAsync(1_500);
    const late = people.standing('U30', OURS);
    await vi.advanceTimersByTimeAsync(499);
    expect(alone).toEqual(idsOf(FEW));
    await vi.advanceTimersByTimeAsync(1);
    await first;
    expect(await late).toBe('member');
    // Nobody waits for the same list again.
    expect(await people.standing('U31', OURS)).toBe('member');
    answer(pageOf([member('U40')]));
    await vi.advanceTimersByTimeAsync(1);
    expect(await people.standing('U40', OURS)).toBe('member');
    expect([alone, pages.length]).toEqual([[...crowd, 'U30', 'U31'], 1]);
  });

  it('and all who are not in it leave so many remembered at most: who was asked about first is forgotten', async () => {
    const { people, alone } = slackWith(() => Promise.reject(new Error('missing_scope')));
    const many = idsOf(9_991);
    await standings(people, many);
    await standings(people, ['U0', 'U9990']);
    expect([alone.length, alone.at(-1)]).toEqual([many.length + 1, 'U0']);
  });
});

describe('reading what Slack answers', () => {
  const workspace = { teamId: OURS };
  const broken = fc.oneof(fc.constantFrom(null, 'true', 0, 1), fc.jsonValue());
  const mostly = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ arbitrary: right, weight: 15 }, broken);
  const flag = mostly(fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)));
  const someone = fc.record(
    {
      id: mostly(fc.constantFrom('U1', 'U2', 'USLACKBOT')),
      team_id: mostly(fc.constantFrom(OURS, 'T2')),
      deleted: flag,
      is_bot: flag,
      is_restricted: flag,
      is_ultra_restricted: flag,
      is_stranger: flag,
      tz: mostly(fc.constant('Europe/Berlin')),
      profile: mostly(fc.constant({ email: 'ana@lantern.example' })),
      enterprise_user: mostly(fc.constant({ teams: ['T2'] })),
    },
    { requiredKeys: [] },
  );
  const page = fc.record(
    {
      members: mostly(fc.array(mostly(someone))),
      response_metadata: mostly(fc.record({ next_cursor: mostly(fc.string()) })),
    },
    { requiredKeys: [] },
  );
  const marks = ['deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted', 'is_stranger'];

  it('never throws, and makes nobody a member who is not listed as one', () => {
    let membersSeen = 0;
    fc.assert(
      fc.property(mostly(page), (answer) => {
        const users = readPage(answer)?.users ?? [];
        const listed = Object(Object(answer).members);
        for (const user of users) {
          if (standingOf(user, workspace) !== 'member') continue;
          membersSeen += 1;
          const isListed = Array.from(listed as ArrayLike<Record<string, unknown> | null>).some(
            (one) =>
              one?.['id'] === user.id &&
              [undefined, OURS].includes(one['team_id'] as string | undefined) &&
              marks.every((mark) => one[mark] === undefined || one[mark] === false),
          );
          expect(isListed).toBe(true);
        }
      }),
      { numRuns: runs(20_000) },
    );
    expect(membersSeen).toBeGreaterThan(0);
  });
});
