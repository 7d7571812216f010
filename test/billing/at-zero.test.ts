import { expect, test } from 'vitest';
import { type AtStake, stakeLines } from '../../src/features/billing/balance/at-zero.ts';
import type { Runway } from '../../src/features/billing/balance/reading.ts';
import type { AtZero } from '../../src/platform/hosting/service.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';

const WEB = { named: [{ id: '101', name: 'web-1' }], count: 1 };
const NONE = { named: [], count: 0 };
const RUNS: AtStake = { running: WEB, paused: NONE };
const PAUSED: AtStake = { running: NONE, paused: WEB, outOfMoney: 1 };
const UNREAD: AtStake = { running: undefined, paused: undefined };
const LEFT: Runway = { lasts: 'without end' };
const EMPTY: Runway = { lasts: 'empty' };
const STOPS: AtZero = { does: 'stops', resumes: false };
const PAUSES: AtZero = { does: 'pauses', deletes: 'after 14 days', resumes: true };

test.each<[string, Runway, AtZero | undefined, AtStake, string]>([
  ['that runs', LEFT, undefined, RUNS, 'Paid from the balance by the day: web-1 (101).'],
  ['that runs', LEFT, STOPS, RUNS, 'At zero the host stops these: web-1 (101).'],
  [
    'that runs',
    LEFT,
    PAUSES,
    RUNS,
    'At zero the host pauses these, and after 14 days deletes them: web-1 (101).',
  ],
  [
    'that runs at zero',
    EMPTY,
    STOPS,
    RUNS,
    'Now that it is empty, the host stops these: web-1 (101). Only a top-up at the hosting service helps now.',
  ],
  [
    'that is paused',
    LEFT,
    STOPS,
    PAUSED,
    'Paused by the host: web-1 (101). Only a top-up at the hosting service helps now.',
  ],
  [
    'that is paused',
    LEFT,
    PAUSES,
    PAUSED,
    'Paused by the host, and deleted after 14 days if they stay so: web-1 (101). Only a top-up at the hosting service helps now. Paused instances come back after it.',
  ],
  [
    'that could not be read',
    LEFT,
    undefined,
    UNREAD,
    "I couldn't read the whole list of instances, so I can't say which are paid from the balance.",
  ],
  [
    'that could not be read',
    LEFT,
    STOPS,
    UNREAD,
    "At zero the host stops what is paid by the day. I couldn't read the whole list of instances, so I can't say which.",
  ],
])(
  'of what %s it is said only as far as the host promises it: %j %j',
  (_what, runway, atZero, stake, words) => {
    const lines = stakeLines({ runway }, atZero, stake);
    expect(lines.map((line) => toPlainText(say`${line}`)).join(' ')).toBe(words);
  },
);
