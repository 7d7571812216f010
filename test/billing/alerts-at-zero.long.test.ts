import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { type Alarm, NO_ALARM } from '../../src/features/billing/alerts/alarm.ts';
import { balanceFace } from '../../src/features/billing/alerts/balance-face.ts';
import { balanceMeasure } from '../../src/features/billing/alerts/balance-measure.ts';
import { judge } from '../../src/features/billing/alerts/judge.ts';
import { noticeMessage } from '../../src/features/billing/alerts/messages.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import type { BalanceRead } from '../../src/features/billing/alerts/balance-read.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { play, readAll } from '../support/sandbox.ts';
import { asks, dmsOf, find, looks, reads, watch } from './watching.ts';
import { runs } from '../support/runs.ts';
import { rulesOf, thresholdsIn } from './judged.ts';

const LIST = { method: 'GET', path: /\/instances$/ } as const;
/** How many alerts are walked through; each renders many messages. */
const WALKS = runs(2_000);
const TOP_UP = 'Only a top-up at the hosting service helps now';

/** The customer `draining`, whose `pump` and `sluice` run until the balance is used up. */
const draining = (options: SandboxOptions = {}): Promise<Sandbox> =>
  watch({ customer: 'draining', ...options });
const atZero = (sandbox: Sandbox): void => sandbox.hosting.passDays(3);

describe('an alert at zero', () => {
  it('names what is paused, what is deleted and when, and what helps, on the card and in the word about it', async () => {
    const sandbox = await draining();
    await reads(sandbox, /getting low/);
    expect(readAll(sandbox)[0]).toMatch(/At zero the host pauses these.*pump \(501\), sluice \(502\)/);
    expect(readAll(sandbox)[0]).toContain('Buy time');
    atZero(sandbox);
    const [card, worse] = await reads(sandbox, /used up/, { count: 2 });
    await looks(sandbox);
    for (const text of [card, worse, ...readAll(sandbox)]) {
      expect(text).toMatch(/pump \(501\), sluice \(502\)/);
      expect(text).toMatch(/after some days/);
      expect(text).toContain(TOP_UP);
      expect(text).not.toContain('Buy time');
    }
    expect(readAll(sandbox)[0]).toMatch(/At zero since /);
  });

  it('says no less while the list of instances can not be read', async () => {
    const sandbox = await draining();
    await reads(sandbox, /getting low/);
    sandbox.hosting.failNext(LIST, { answer: 404, done: false }, 100_000);
    atZero(sandbox);
    const [card, worse] = await reads(sandbox, /used up/, { count: 2 });
    await looks(sandbox);
    for (const text of [card, worse, readAll(sandbox)[0]]) {
      expect(text).toMatch(/pump \(501\), sluice \(502\)/);
      expect(text).toContain('after some days');
      expect(text).toContain(TOP_UP);
    }
    expect(readAll(sandbox)[0]).toMatch(/The instances as of /);
  });

  it('says it to whom it calls, after a snooze, and when it asks who is still on it', async () => {
    const sandbox = await draining({
      env: { BILLING_ESCALATE_TO: 'U0BOB000001' },
      timings: { escalateAfterMs: 100, stillOnItAfterMs: 100 },
    });
    atZero(sandbox);
    await sandbox.slack.until(() => dmsOf(sandbox, 'bob').length > 0);
    expect(dmsOf(sandbox, 'bob')[0]).toMatch(/after some days.*sluice \(502\)/s);
    expect(dmsOf(sandbox, 'bob')[0]).not.toContain('Buy time');
    await sandbox.slack.person('fin').presses(find(sandbox, /used up/), "I'm on it");
    const [still] = await reads(sandbox, /are you still on/);
    expect(still).toMatch(/after some days.*sluice \(502\)/s);
  });

  it('is no recovery where the host pauses all that cost with something left: it is worse, and offers a top-up', async () => {
    const sandbox = await watch({ customer: 'nearly-empty' });
    await reads(sandbox, /balance is critical/);
    sandbox.hosting.passDays(1);
    const [card, worse] = await reads(sandbox, /Everything is paused: the balance does not pay/, {
      count: 2,
    });
    await looks(sandbox);
    for (const text of [card, worse, readAll(sandbox)[0]]) {
      expect(text).toMatch(/deleted after some days if they stay so: wick \(511\)/);
      expect(text).toContain(TOP_UP);
      expect(text).not.toContain('Buy time');
    }
    expect(readAll(sandbox)).toHaveLength(2);
    sandbox.hosting.topUp('nearly-empty', 5_000);
    await reads(sandbox, /it rose by/);
  });
});

describe('/billing at zero', () => {
  it('names what is paused, what is deleted and when, and what helps, also where it is shared', async () => {
    const sandbox = await draining({ timings: { billingCheckEveryMs: Number.POSITIVE_INFINITY } });
    expect(await asks(sandbox, '/billing')).toContain('Buy time');
    atZero(sandbox);
    const text = await asks(sandbox, '/billing');
    expect(text).toMatch(/nothing is left/);
    expect(text).toContain('after some days');
    expect(text).not.toContain('Buy time');
    const answer = sandbox.slack.channel('#ops').ephemeralFor('fin').at(-1);
    await sandbox.slack.person('fin').presses(answer!, 'Share');
    const [shared] = await reads(sandbox, /Shared by @fin/);
    for (const one of [text, shared]) {
      expect(one).toMatch(/pump \(501\), sluice \(502\)/);
      expect(one).toContain(TOP_UP);
    }
  });

  it('shows the balance where the list of instances can not be read, and says so', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'draining' });
    sandbox.hosting.failNext(LIST, { answer: 404, done: false }, 100);
    const text = await asks(sandbox, '/billing');
    expect(text).toMatch(/900 credits · 300 credits a day/);
    expect(text).toContain("I couldn't read the whole list of instances");
    expect(text).not.toContain('Buy time');
  });
});

const instance = fc.constantFrom('pump', 'sluice', 'wick').map((name) => ({ id: name, name }));
const some = fc.uniqueArray(instance, { selector: ({ id }) => id });
const measure = balanceMeasure(thresholdsIn('credits', 500n, 200n));
/** One look: the list as it was read, or undefined. What ran is paused at zero. */
const look = fc.record({
  balance: fc.constantFrom('0', '-5', '100', '0.0'),
  list: fc.option(fc.record({ running: some, paused: some }), { nil: undefined }),
});

it('a message of an alert names what the one before it named, until a list that was read says otherwise', () => {
  fc.assert(
    fc.property(fc.array(look, { minLength: 2, maxLength: 8 }), (given) => {
      let alarm: Alarm = NO_ALARM;
      let known: { running: { id: string }[]; paused: { id: string }[] } | undefined;
      for (const [index, { balance, list }] of given.entries()) {
        const at = 1_000_000 * (index + 1);
        known = list ?? known;
        const seen: BalanceRead = {
          balance,
          perDay: '60',
          at,
          ...(list === undefined
            ? {}
            : {
                list: {
                  at,
                  isWhole: true,
                  instances: [
                    ...list.running.map((one) => ({
                      ...one,
                      status: 'running' as const,
                      isPaidByDay: true as const,
                    })),
                    ...list.paused.map((one) => ({
                      ...one,
                      status: 'paused' as const,
                      pausedFor: 'no-credit' as const,
                    })),
                  ],
                },
              }),
        };
        const rules = rulesOf(measure, { newId: `e${index}`, timings: { ...TIMINGS, alertFreshMs: 0 } });
        do alarm = judge(alarm, seen, rules, at);
        while (alarm.doubt);
        for (const episode of alarm.episodes) {
          const card = episode.notices.find(({ kind }) => kind === 'card');
          if (!card || !known) continue;
          const message = noticeMessage(episode, card, balanceFace('credits', {}), 'story');
          const text = message.lines.map(toText).join('\n');
          const lost = [...known.running, ...known.paused].filter(({ id }) => !text.includes(id));
          const labels = (message.buttons ?? []).map(({ label }) => label);
          const isOffered = known.running.length === 0 && labels.includes('Buy time');
          if (lost.length > 0 || isOffered) throw new Error(`${text}\n[${labels.join()}]`);
        }
      }
    }),
    { numRuns: WALKS },
  );
});
