import { expect, it } from 'vitest';
import { TIMINGS } from '../../src/core/timings.ts';
import { createWhoHears } from '../../src/features/billing/alerts/check.ts';

interface Night {
  /** Who may see the figures; anybody else may. */
  readonly may?: Readonly<Record<string, 'no' | 'not checked'>>;
  readonly isGroupRead?: boolean;
  readonly configured?: readonly string[];
}

/** Who hears of an alert in C1, by step, where U1 and U2 of a group are on call at once and U3 after a while; `?` where that isn't known of all. */
async function hears({ may = {}, isGroupRead = true, configured = ['U4'] }: Night): Promise<string[]> {
  const at = await createWhoHears({
    onCall: {
      of: async () => ({
        steps: [
          { afterMs: 0, who: ['U1', 'S1'] },
          { afterMs: 600_000, who: ['U3'] },
        ],
      }),
    },
    access: {
      check: async ({ userId }) => {
        const no = may[userId];
        if (no === undefined) return { allowed: true, rule: { by: 'admins' } };
        return { allowed: false, reason: no === 'no' ? 'no role' : no };
      },
    },
    userGroups: {
      members: async () => {
        if (!isGroupRead) throw new Error('no answer');
        return new Set(['U2']);
      },
    },
    snoozes: { among: async () => new Set() },
    admins: () => [],
    log: { debug: skip, info: skip, warn: skip, error: skip, limited: skip },
    config: {
      warn: undefined,
      critical: undefined,
      budget: undefined,
      channels: ['C1'],
      escalateTo: configured,
    },
    timings: TIMINGS,
  })({ channelId: 'C1' });
  return at.steps.map(
    ({ people, isRead }) => `${people.map(({ userId }) => userId).join(' ')}${isRead ? '' : '?'}`,
  );
}

const skip = (): void => undefined;
const NOBODY = { U1: 'no', U2: 'no', U3: 'no' } as const;

it.each<readonly [name: string, night: Night, expected: readonly string[]]>([
  ['those on call in its channel', {}, ['U1 U2', 'U3']],
  ['those of them who may see the figures', { may: { U1: 'no' } }, ['U2', 'U3']],
  ['those whom the configuration names, where none of them may', { may: NOBODY }, ['U4']],
  ['nobody, where none of them may and none is named', { may: NOBODY, configured: [] }, ['', '']],
  [
    'still those on call, where Slack can not tell who one is',
    { may: { ...NOBODY, U1: 'not checked' } },
    ['?', ''],
  ],
  [
    'still those on call, where Slack can not tell who is in a group',
    { may: NOBODY, isGroupRead: false },
    ['?', ''],
  ],
])('an alert is told to %s', async (_, night, expected) => {
  expect(await hears(night)).toEqual(expected);
});
