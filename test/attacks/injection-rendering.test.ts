import { describe, expect, test } from 'vitest';
import type { Instance } from '../../src/hosting/service.ts';
import { POWERS, STATUSES } from '../../src/hosting/service.ts';
import { instanceCard, instanceList } from '../../src/instances/messages.ts';
import { powerCard, powerEnding, powerRefused, wouldPower } from '../../src/instances/power-messages.ts';
import { choiceLabel, nameOf, whichInstance } from '../../src/targets/messages.ts';
import { busy, openOperations, reply } from '../../src/operations/messages.ts';
import type { OperationKind } from '../../src/operations/kind.ts';
import type { Operation, Outcome } from '../../src/operations/operation.ts';
import { type Message, render, toOptions } from '../../src/slack/message.ts';
import { operation } from '../operations/operation.ts';
import { createDice, type Dice, NASTY_TEXTS } from './dice.ts';
import { LONGEST_MS } from './watching.ts';

/** Stands in every foreign text and in none of ours, so that foreign text is known wherever it comes out. */
const MARK = '¤';
const ASKER = 'U0ASKER0001';
const RUNS = 100_000;

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

type Foreign = () => string;
const foreignOf =
  (dice: Dice): Foreign =>
  () =>
    `${dice.pick(PARTS)}${MARK}${dice.pick(PARTS)}${dice.pick(PARTS)}`;

function instanceOf(dice: Dice, foreign: Foreign): Instance {
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

const CODES = ['done', 'accepted', 'seen', 'already', 'lost', 'blind', 'still', 'gone', 'paused', 'broken'];
CODES.push('wrong-state', 'bad-input', 'no-credit', 'forbidden', 'not-found', 'too-late', 'unavailable', 'x');

function operationOf(dice: Dice, foreign: Foreign): Operation {
  const last = {
    status: dice.pick([...STATUSES, 'unknown', 'gone'] as const),
    word: foreign(),
    health: foreign(),
    at: 1,
  };
  const outcome: Outcome = {
    result: 'failed',
    code: dice.pick(CODES),
    said: foreign(),
    at: 1_795_177_815_000,
  };
  const base = operation({
    effect: { seen: last, slow: true, blindLooks: 5, state: dice.pick(['unsure', 'watching']) },
  });
  return {
    ...base,
    actor: { userId: ASKER },
    because: foreign(),
    subject: { ...base.subject, id: foreign(), name: foreign() },
    ...(dice.oneIn(3) ? {} : { outcome }),
  };
}

const power = 'restart';
const kind = {
  doing: 'restarting',
  ending: (one, outcome) => powerEnding(power, one, outcome),
} as OperationKind; // its words alone

/** Every kind of message in which foreign text is shown. */
const MESSAGES: readonly ((dice: Dice, foreign: Foreign) => Message)[] = [
  (dice, foreign) => instanceCard(instanceOf(dice, foreign), [], []),
  (dice, foreign) => {
    const all = [instanceOf(dice, foreign), instanceOf(dice, foreign)];
    return instanceList(all, 3, true);
  },
  (dice, foreign) => whichInstance('stop', 'instances.stop', nameOf(instanceOf(dice, foreign))),
  (dice, foreign) => {
    const refusals = ['already', 'broken', 'unknown-status', 'not-possible'] as const;
    return { lines: [powerRefused(dice.pick(POWERS), instanceOf(dice, foreign), dice.pick(refusals))] };
  },
  (dice, foreign) => ({ lines: [wouldPower('stop', instanceOf(dice, foreign), undefined)] }),
  (dice, foreign) => powerCard(dice.pick(POWERS), operationOf(dice, foreign), undefined),
  (dice, foreign) => reply(operationOf(dice, foreign), kind),
  (dice, foreign) => busy(operationOf(dice, foreign), kind, true, 'lamplighter.follow'),
  (dice, foreign) => openOperations([{ operation: operationOf(dice, foreign), kind }]),
];

const OURS = new RegExp(
  `<@${ASKER}>|<!date\\^\\d+\\^\\{[a-z_]+\\}( \\{time\\})?\\|(at )?[-0-9: ]+ UTC>`,
  'g',
);

/** What is wrong with a message's text, if anything. `spoken` is how many mentions and dates its blocks have. */
function faultInText(text: string, spoken: number): string | undefined {
  const rest = text.replaceAll(OURS, '');
  if (/[<>]/.test(rest)) return 'a control sequence';
  if (/&(?!(amp|lt|gt);)/.test(rest)) return 'a lone &';
  if ((text.match(OURS)?.length ?? 0) !== spoken) return 'a mention or date that is not ours';
  return undefined;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  rich_text: ['type', 'elements'],
  rich_text_section: ['type', 'elements'],
  rich_text_list: ['type', 'style', 'elements'],
  text: ['type', 'text', 'style'],
  user: ['type', 'user_id'],
  date: ['type', 'timestamp', 'format', 'fallback'],
  actions: ['type', 'elements'],
  button: ['type', 'action_id', 'text', 'value', 'style'],
  external_select: ['type', 'action_id', 'placeholder', 'min_query_length'],
  plain_text: ['type', 'text', 'emoji'],
};

/**
 * What is wrong with blocks: an element that is none of those, a field of another, foreign text in a wrong place,
 * a mention of anybody but the asker. Notes the elements that speak of people and times.
 */
function faultInBlocks(node: unknown, spoken: { count: number }): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if (Array.isArray(node)) {
    for (const inner of node) {
      const fault = faultInBlocks(inner, spoken);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  const element = node as Readonly<Record<string, unknown>>;
  const type = String(element['type']);
  if (type === 'user' || type === 'date') spoken.count += 1;
  if (type === 'user' && element['user_id'] !== ASKER) return 'a mention of somebody else';
  for (const [key, value] of Object.entries(element)) {
    if (!KEYS[type]?.includes(key)) return `${key} in ${type}`;
    const isShown = key === 'text' && (type === 'text' || type === 'plain_text');
    if (typeof value === 'string' && !isShown && value.includes(MARK))
      return `foreign text as ${key} of ${type}`;
    const isStyle = key === 'style' && typeof value === 'object';
    if (isStyle && JSON.stringify(value) !== '{"bold":true}') return `the style ${JSON.stringify(value)}`;
    const fault = isStyle ? undefined : faultInBlocks(value, spoken);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

describe('a name, a reason or an error that would ping, link or format', () => {
  test(
    'is shown as it is in every kind of message: 100,000 of them',
    () => {
      let shown = 0;
      for (let round = 0; round < RUNS; round++) {
        const dice = createDice(round);
        const { text, blocks } = render(MESSAGES[round % MESSAGES.length]!(dice, foreignOf(dice)));
        const spoken = { count: 0 };
        const fault = faultInBlocks(blocks, spoken) ?? faultInText(text, spoken.count);
        if (fault !== undefined)
          throw new Error(`round ${round}: ${fault}: ${text}\n${JSON.stringify(blocks)}`);
        if (text.includes(MARK)) shown += 1;
      }
      expect(shown).toBeGreaterThan(RUNS * 0.9);
    },
    LONGEST_MS,
  );

  test('is plain text in a picker: 100,000 choices', () => {
    for (let round = 0; round < RUNS; round += 50) {
      const dice = createDice(round);
      const all = Array.from({ length: 50 }, () => instanceOf(dice, foreignOf(dice)));
      const options = toOptions(all.map((one) => ({ value: one.id, label: choiceLabel(one) })));
      for (const { text, value, ...rest } of options) {
        const { type, emoji, text: label, ...more } = text;
        const isPlain =
          type === 'plain_text' && emoji === false && Object.keys({ ...rest, ...more }).length === 0;
        const isLine =
          label.length > 0 && [...label].length <= 75 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(label);
        if (!isPlain || !isLine || value === '')
          throw new Error(`round ${round}: ${JSON.stringify({ text, value })}`);
      }
    }
  });
});
