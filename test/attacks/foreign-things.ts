import type { Confirmation } from '../../src/core/offers/confirmation.ts';
import { type Addon, type Instance, STATUSES } from '../../src/platform/hosting/service.ts';
import type { ReasonToAsk } from '../../src/features/instances/before-power.ts';
import { OUTCOME_CODES } from '../../src/core/outcome-words.ts';
import type { Operation, Outcome } from '../../src/core/operations/operation.ts';
import { say, strong } from '../../src/platform/slack/phrase.ts';
import { operation } from '../operations/operation.ts';
import { type Dice, NASTY_TEXTS } from './dice.ts';

/** Instances, add-ons, operations and confirmations in which every text is foreign and means harm. */

/** Stands in every foreign text and in none of the bot, so that foreign text is known wherever it comes out. */
export const MARK = '¤';
export const ASKER = 'U0ASKER0001';
const AT = 1_795_177_815_000;

const PARTS: readonly string[] = [
  ...NASTY_TEXTS.filter((text) => text.length < 100),
  `<@${ASKER}>`,
  `<@${ASKER}|x>`,
  '<!date^1795177815^{ago}|at 2026-11-20 12:30 UTC>',
  '<!everyone>',
  '<!subteam^S012AB>',
  '<mailto:a@evil.test|Pay>',
  'https://evil.test/',
  '@channel',
  '&amp;lt;',
  '\n> quote',
  '```',
  ...'<>&|!@#*_~`"\'\r\n'.split(''),
];

export type Foreign = () => string;
export const foreignOf =
  (dice: Dice): Foreign =>
  () =>
    `${dice.pick(PARTS)}${MARK}${dice.pick(PARTS)}${dice.pick(PARTS)}`;

export function instanceOf(dice: Dice, foreign: Foreign): Instance {
  return {
    id: foreign(),
    name: foreign(),
    status: dice.pick([...STATUSES, 'unknown'] as const),
    statusWord: foreign(),
    tier: foreign(),
    billingMode: foreign(),
    ipAddress: foreign(),
    health: dice.pick(['unhealthy', foreign()]),
    createdAt: '2026-01-01T00:00:00Z',
    address: foreign(),
    dailyCostCredits: foreign(),
    can: {},
  };
}

export function addonOf(dice: Dice, foreign: Foreign): Addon {
  return {
    id: dice.pick(['', foreign()]),
    type: foreign(),
    ...(dice.oneIn(2) ? { tier: foreign() } : {}),
    ...(dice.oneIn(2) ? { instanceId: foreign() } : {}),
    ...(dice.oneIn(2) ? { instanceName: foreign() } : {}),
    ...(dice.oneIn(2) ? { status: dice.pick(['active', 'canceled', foreign()]) } : {}),
    ...(dice.oneIn(2) ? { used: dice.pick([0, 95, 1e21]), limit: dice.pick([0, 100]) } : {}),
    ...(dice.oneIn(2) ? { dailyCredits: dice.pick(['12.30', foreign()]) } : {}),
  };
}

export function operationOf(dice: Dice, foreign: Foreign): Operation {
  const last = {
    status: dice.pick([...STATUSES, 'unknown', 'gone', 'present'] as const),
    word: foreign(),
    health: foreign(),
    at: 1,
  };
  const outcome: Outcome = {
    result: dice.pick(['failed', 'done', 'unknown', 'canceled'] as const),
    code: dice.pick(OUTCOME_CODES),
    said: foreign(),
    at: AT,
  };
  const state = dice.pick(['requested', 'unknown', 'accepted'] as const);
  const base = operation({ execution: { lastState: last, slow: true, failedPolls: 5, state } });
  return {
    ...base,
    actor: { userId: ASKER },
    because: foreign(),
    subject: { ...base.subject, id: foreign(), name: foreign() },
    args: { id: foreign(), type: foreign(), tier: foreign() },
    ...(dice.oneIn(4) ? {} : { part: foreign() }),
    ...(dice.oneIn(2) ? { cancelWindowMs: 120_000, cancelWindowEndsAt: 30_000 } : {}),
    ...(dice.oneIn(2) ? { canceledBy: ASKER } : {}),
    ...(dice.oneIn(3) ? {} : { outcome }),
    ...(dice.oneIn(3) ? { next: { kind: 'instances.show', userId: ASKER, at: AT } } : {}),
  };
}

export function confirmationOf(foreign: Foreign): Confirmation {
  return {
    routeId: 'instances.delete',
    actor: { userId: ASKER },
    instance: { id: foreign(), name: foreign() },
    args: { id: foreign(), type: foreign(), tier: foreign() },
    because: foreign(),
    lines: [say`${strong(foreign())}`],
    expiresAt: AT,
  };
}

/** Why a stop or restart asks first. */
export function reasonToAskOf(dice: Dice): ReasonToAsk {
  const past = { kind: 'instances.start', userId: ASKER, at: AT };
  return dice.pick<ReasonToAsk>([
    { why: 'protected' },
    { why: 'restart-loop', times: 3 },
    { why: 'restarted-lately', past },
    { why: 'restart-unknown', past: { ...past, result: 'unknown' } },
    { why: 'started-by-another', past },
  ]);
}
