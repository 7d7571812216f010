import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Agents,
  answered,
  declinedUntil,
  findSame,
  type Proposal,
  unread,
  withoutAgents,
  withProposal,
} from '../../src/features/agents/record.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/time/duration.ts';

const PROPOSAL: Proposal = {
  id: 'first',
  agent: 'Slackbot',
  actor: { userId: 'U0ANA000001' },
  routeId: 'instances.restart',
  instance: { id: '101', name: 'web-1' },
  what: [],
  because: 'it leaks memory',
  at: 1_000,
};

describe('what agents proposed', () => {
  it('takes what was asked for before the same was answered as the same, however late it is ready', () => {
    const proposed = withProposal({ agents: [], proposals: [], stopped: [] }, PROPOSAL);
    const declined =
      proposed && answered(proposed, 'first', { how: 'declined', by: 'U0ANA000001', at: 2_000 });
    if (!declined) throw new Error('not declined');
    const late = { ...PROPOSAL, id: 'late', at: 500 };
    expect(withProposal(declined, late)).toBeUndefined();
    expect(findSame(declined, late)?.id).toBe('first');
    const anew = { ...PROPOSAL, id: 'anew', at: 2_000 + HOUR_MS };
    expect(withProposal(declined, anew)?.proposals.map(({ id }) => id)).toEqual(['first', 'anew']);
  });

  it('tries what nobody could read once more after ten minutes, and takes none of them for one that waits', () => {
    const none = { agents: [], proposals: [], stopped: [] };
    const proposed = withProposal(none, PROPOSAL);
    const failed = proposed && unread(proposed, 'first', 2_000);
    if (!failed) throw new Error('not known to be unread');
    expect(unread(failed, 'first', 3_000)).toBeUndefined();
    expect(unread(failed, 'another', 3_000)).toBeUndefined();
    const soon = { ...PROPOSAL, id: 'soon', at: 2_000 + 9 * MINUTE_MS };
    expect(findSame(failed, soon)?.id).toBe('first');
    const later = { ...PROPOSAL, id: 'later', at: 2_000 + 10 * MINUTE_MS };
    expect(withProposal(failed, later)?.proposals.map(({ id }) => id)).toEqual(['first', 'later']);
    const five = [1, 2, 3, 4].reduce<Agents>((record, nth) => {
      const id = `${nth}`;
      const more = withProposal(record, { ...PROPOSAL, id, instance: { id, name: `web-${id}` } });
      return (more && unread(more, id, 2_000)) ?? record;
    }, failed);
    const sixth = { ...soon, instance: { id: '6', name: 'web-6' } };
    expect(withProposal(five, sixth)).toBeDefined();
  });

  it('takes none of an agent that may not ask any more, and none of its own is begun then', () => {
    const agent = {
      id: 'one',
      name: 'deploy-bot',
      actor: { userId: 'U0ANA000001' },
      role: 'operator' as const,
      until: 5_000,
      by: 'U0ADA000001',
      at: 500,
    };
    const wanted = { ...PROPOSAL, agent: 'deploy-bot', agentId: 'one' };
    const record: Agents = { agents: [agent], proposals: [], stopped: [] };
    const proposed = withProposal(record, wanted);
    if (!proposed) throw new Error('not proposed');
    const pressed = (at: number) =>
      answered(proposed, 'first', { how: 'begun', by: 'U0BOB000001', at, requestId: 'press' });
    expect(pressed(4_999)).toBeDefined();
    expect(pressed(5_000)).toBeUndefined();
    expect(answered(proposed, 'first', { how: 'declined', by: 'U0BOB000001', at: 5_000 })).toBeDefined();
    expect(withProposal(record, { ...wanted, at: 5_000 })).toBeUndefined();
    const anew: Agents = { ...record, agents: [{ ...agent, id: 'two' }] };
    expect(withProposal(anew, wanted)).toBeUndefined();
    const revoked = withoutAgents(proposed, ['one'], 'U0ADA000001', 2_000);
    expect(revoked?.proposals[0]?.answer).toEqual({ how: 'revoked', by: 'U0ADA000001', at: 2_000 });
  });

  it('forgets what is over before anything that can still be pressed, and takes no more than it can keep', () => {
    let record: Agents = { agents: [], proposals: [], stopped: [] };
    const add = (nth: number): boolean => {
      const actor = { userId: `U${nth}` };
      const more = withProposal(record, { ...PROPOSAL, id: `${nth}`, actor, at: PROPOSAL.at + nth });
      if (more) record = more;
      return more !== undefined;
    };
    for (let nth = 0; nth < 300; nth += 1) {
      expect(add(nth)).toBe(true);
      const answer = { how: 'declined', by: 'U0BOB000001', at: PROPOSAL.at + nth } as const;
      if (nth % 2 === 0) record = answered(record, `${nth}`, answer) ?? record;
    }
    const isPressable = ({ answer }: Proposal): boolean => answer === undefined;
    expect(record.proposals.filter(isPressable)).toHaveLength(150);
    expect(record.proposals).toHaveLength(200);
    for (let nth = 301; nth < 351; nth += 1) expect(add(nth)).toBe(true);
    expect(add(351)).toBe(false);
    expect(record.proposals.every(isPressable)).toBe(true);
  });

  it('asks nobody for the same within an hour of a no, and twice for one request never', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * HOUR_MS }),
        fc.integer({ min: 1, max: 3 * HOUR_MS }),
        fc.string(),
        (answeredAfter, askedAfter, because) => {
          const proposed = withProposal({ agents: [], proposals: [], stopped: [] }, PROPOSAL);
          const at = PROPOSAL.at + answeredAfter;
          const declined =
            proposed && answered(proposed, 'first', { how: 'declined', by: 'U0BOB000001', at });
          if (!declined) throw new Error('not declined');
          const again = { ...PROPOSAL, id: 'again', because, at: at + askedAfter };
          const isQuiet = askedAfter < HOUR_MS;
          expect(declinedUntil(declined, again)).toBe(isQuiet ? at + HOUR_MS : undefined);
          expect(withProposal(declined, again) === undefined).toBe(isQuiet);
          expect(withProposal(declined, { ...again, id: 'first' })).toBeUndefined();
          expect(withProposal(declined, { ...again, instance: { id: '102', name: 'web-2' } })).toBeDefined();
        },
      ),
    );
  });
});
