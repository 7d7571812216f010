import { DELETION } from '../support/deletion.ts';
import { describe, expect, test } from 'vitest';
import { pageMessage } from '../../src/core/lists/list.ts';
import * as addons from '../../src/features/addons/messages.ts';
import * as confirmations from '../../src/core/offers/canceled.ts';
import * as instances from '../../src/core/instances/messages.ts';
import { choiceLabel, nameOf, whichInstance } from '../../src/core/instances/messages.ts';
import { POWERS } from '../../src/platform/hosting/service.ts';
import * as deletion from '../../src/features/instances/delete-messages.ts';
import { instanceCard, instanceList } from '../../src/features/instances/list-messages.ts';
import * as powers from '../../src/features/instances/power-messages.ts';
import { refusedWords } from '../../src/features/instances/why-not.ts';
import type { Confirm } from '../../src/core/changes/declaration.ts';
import { askToConfirm } from '../../src/core/changes/ask-to-confirm.ts';
import { confirmRemove } from '../../src/features/addons/remove.ts';
import { confirmDelete } from '../../src/features/instances/delete.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { everyKind } from '../support/kinds.ts';
import {
  busy,
  endedCard,
  type Ongoing,
  openOperations,
  deadLetteredCard,
  reply,
} from '../../src/core/operations/messages.ts';
import type { Message, Modal } from '../../src/platform/slack/message.ts';
import { toOptions } from '../../src/platform/slack/controls.ts';
import { render } from '../../src/platform/slack/render.ts';
import { renderModal } from '../../src/platform/slack/modal.ts';
import { messageLink, type Phrase, say, toPlainText } from '../../src/platform/slack/phrase.ts';
import { createDice, type Dice } from './dice.ts';
import {
  addonOf,
  ASKER,
  confirmationOf,
  type Foreign,
  foreignOf,
  instanceOf,
  MARK,
  operationOf,
  reasonToAskOf,
} from './foreign-things.ts';
import { MAX_MS } from './watching.ts';
import { noHosting } from '../support/no-hosting.ts';
import { runs } from '../support/runs.ts';

const RUNS = runs(100_000);

const LINK = messageLink('https://team.slack.com/', { channelId: 'C0OPS', ts: '1.5' }, 'See its card');
const ROUTES = { followRoute: 'lamplighter.follow', cancelRoute: 'lamplighter.cancel' };

/** Every kind of operation; what they say needs no service. */
const KINDS = everyKind({
  hosting: noHosting(),
  observer: { observe: () => Promise.reject(new Error('nothing is looked at')) },
  timings: TIMINGS,
});
const MENU = [{ label: 'Stop', routeId: 'instances.stop', value: 'v' }];

type Shown<T> = readonly ((dice: Dice, foreign: Foreign) => T)[];

/** Every sentence in which foreign text is shown, alone or in a modal. */
const PHRASES: Shown<Phrase> = [
  (dice, foreign) => {
    const refusals = ['already', 'broken', 'locked', 'unknown-status', 'not-possible'] as const;
    return refusedWords(dice.pick(POWERS), instanceOf(dice, foreign), dice.pick(refusals));
  },
  (dice, foreign) => powers.wouldPower('stop', instanceOf(dice, foreign), undefined, {}),
  (dice, foreign) => powers.wouldPower('stop', instanceOf(dice, foreign), reasonToAskOf(dice), {}),
  (dice, foreign) => {
    const refusals = ['protected', 'deleting', 'on-the-way', 'locked'] as const;
    return refusedWords('delete', instanceOf(dice, foreign), dice.pick(refusals));
  },
  (_dice, foreign) => deletion.wrongName(foreign()),
  (_dice, foreign) => addons.wrongType(foreign()),
  (_dice, foreign) => confirmations.expired(confirmationOf(foreign).instance),
  (_dice, foreign) => instances.changed(confirmationOf(foreign).instance),
];

const UNIT = 'credits';

const ongoingOf = (dice: Dice, foreign: Foreign): Ongoing => ({
  operation: operationOf(dice, foreign),
  kind: dice.pick(KINDS),
  link: dice.oneIn(2) && LINK ? [LINK] : [],
});

/** Every kind of message in which foreign text is shown. */
const MESSAGES: Shown<Message> = [
  ...PHRASES.map((phrase) => (dice: Dice, foreign: Foreign): Message => ({ lines: [phrase(dice, foreign)] })),
  (dice, foreign) => instanceCard(instanceOf(dice, foreign), UNIT, [], MENU),
  (dice, foreign) => {
    const all = [instanceOf(dice, foreign), instanceOf(dice, foreign)];
    const page = { words: [foreign()], total: 3, from: 0, listId: undefined, offered: [], remarks: [] };
    return instanceList({ instances: all, ...page }, { incomplete: { read: 3, total: 9, isCertain: true } });
  },
  (dice, foreign) => whichInstance('stop', 'instances.stop', nameOf(instanceOf(dice, foreign))),
  (dice, foreign) => dice.pick(KINDS).card(operationOf(dice, foreign)),
  (dice, foreign) => dice.pick(KINDS).card({ ...operationOf(dice, foreign), cancelWindowMs: 120_000 }),
  (_dice, foreign) => ({ lines: [confirmations.foreign(confirmationOf(foreign).actor)] }),
  (dice, foreign) => deadLetteredCard(operationOf(dice, foreign), dice.pick(KINDS)),
  (dice, foreign) => {
    const operation = operationOf(dice, foreign);
    return endedCard(
      operation,
      operation.outcome ?? { result: 'done', code: 'done', at: 0 },
      dice.pick(KINDS),
      'lamplighter.story',
    );
  },
  (dice, foreign) => {
    const operation = operationOf(dice, foreign);
    return reply(operation, dice.pick(KINDS), [operation.actor.userId]);
  },
  (dice, foreign) =>
    busy(ongoingOf(dice, foreign), { isSameKind: dice.oneIn(2), userId: 'U0', now: 0 }, ROUTES),
  (dice, foreign) =>
    openOperations([ongoingOf(dice, foreign), ongoingOf(dice, foreign)], 0, 'lamplighter.cancel'),
  (dice, foreign) => ({
    lines: powers.askFirst(dice.pick(POWERS), instanceOf(dice, foreign), reasonToAskOf(dice)),
  }),
  (dice, foreign) =>
    deletion.deletePreview(instanceOf(dice, foreign), [addonOf(dice, foreign)], UNIT, DELETION),
  (dice, foreign) => {
    const instance = instanceOf(dice, foreign);
    return deletion.wouldDelete(deletion.deletePreview(instance, undefined, UNIT, DELETION), instance);
  },
  (dice, foreign) => {
    const all = [addonOf(dice, foreign), addonOf(dice, foreign)];
    const of = dice.oneIn(2) ? { of: instanceOf(dice, foreign) } : {};
    const shown = { unit: UNIT, canChange: dice.oneIn(2), ongoing: [], menu: MENU };
    return pageMessage(addons.addonList(all, { ...of, ...shown }), { from: 0, listId: undefined });
  },
  (dice, foreign) => {
    const like = dice.oneIn(2) ? addonOf(dice, foreign) : undefined;
    const incomplete = dice.oneIn(2) ? { read: 25, isCertain: false } : undefined;
    const known = { like, incomplete, unit: UNIT };
    return { lines: addons.addPreview(addonOf(dice, foreign), instanceOf(dice, foreign), known) };
  },
  (dice, foreign) => addons.removePreview(addonOf(dice, foreign), instanceOf(dice, foreign), UNIT),
  (dice, foreign) => addons.whichAddon(foreign(), instanceOf(dice, foreign), [addonOf(dice, foreign)], UNIT),
  (dice, foreign) => addons.noSuchAddon(foreign(), instanceOf(dice, foreign), [addonOf(dice, foreign)]),
];

/** Every modal. */
const MODALS: Shown<Modal> = [
  (dice, foreign) => {
    const { id, name } = instanceOf(dice, foreign);
    const preview = deletion.deletePreview(
      instanceOf(dice, foreign),
      [addonOf(dice, foreign)],
      UNIT,
      DELETION,
    );
    return modalOf(confirmDelete, { instance: { id, name }, ...preview });
  },
  (dice, foreign) => {
    const preview = addons.removePreview(addonOf(dice, foreign), instanceOf(dice, foreign), UNIT);
    const instance = { id: foreign(), name: foreign() };
    return modalOf(confirmRemove, { instance, args: { type: foreign() }, ...preview });
  },
];

function modalOf(confirm: Confirm, shown: Parameters<typeof askToConfirm>[2]): Modal {
  const { modal } = askToConfirm(
    { id: 'instances.delete', words: {}, confirm, cancelWindowMs: 120_000 },
    'id',
    shown,
  );
  if (!modal) throw new Error('no modal');
  return modal;
}

const OURS = new RegExp(
  `<@${ASKER}>|<https://team\\.slack\\.com/archives/C0OPS/p15\\|See its card>|<!date\\^\\d+\\^\\{[a-z_]+\\}( \\{time\\})?\\|(at )?[-0-9: ]+ UTC>`,
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
  link: ['type', 'url', 'text'],
  date: ['type', 'timestamp', 'format', 'fallback'],
  actions: ['type', 'elements'],
  button: ['type', 'action_id', 'text', 'value', 'style', 'accessibility_label'],
  external_select: ['type', 'action_id', 'placeholder', 'min_query_length'],
  overflow: ['type', 'action_id', 'options'],
  option: ['text', 'value'],
  plain_text: ['type', 'text', 'emoji'],
  input: ['type', 'block_id', 'label', 'hint', 'element'],
  plain_text_input: ['type', 'action_id', 'max_length'],
};

/** Whether foreign text shows what is no part of a line: what can't be seen, or what turns it round. */
function hasUnseen(text: string): boolean {
  return (
    text.includes(MARK) && (/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) || /\n[>\s]/.test(text))
  );
}

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
  const type = typeof element['type'] === 'string' ? element['type'] : 'option';
  if (type === 'user' || type === 'date' || type === 'link') spoken.count += 1;
  if (type === 'link' && element['text'] !== 'See its card') return 'a link that is not ours';
  if (type === 'user' && element['user_id'] !== ASKER) return 'a mention of somebody else';
  for (const [key, value] of Object.entries(element)) {
    if (!KEYS[type]?.includes(key)) return `${key} in ${type}`;
    // What a screen reader says of a button is read out as it is.
    const isShown =
      key === 'accessibility_label' || (key === 'text' && (type === 'text' || type === 'plain_text'));
    if (typeof value === 'string' && hasUnseen(value)) return 'foreign text that is more than a line';
    if (typeof value === 'string' && !isShown && value.includes(MARK))
      return `foreign text as ${key} of ${type}`;
    const isPlain = type === 'plain_text' && element['emoji'] === false;
    if (type === 'plain_text' && String(value).includes(MARK) && !isPlain)
      return 'foreign text with emoji codes';
    const isStyle = key === 'style' && typeof value === 'object';
    if (isStyle && JSON.stringify(value) !== '{"bold":true}') return `the style ${JSON.stringify(value)}`;
    const fault = isStyle ? undefined : faultInBlocks(value, spoken);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Throws where anything foreign would do more than be read, in one of so many messages. */
function holdAgainst(messages: Shown<Message>, rounds: number): { shown: number } {
  let shown = 0;
  for (let round = 0; round < rounds; round++) {
    const dice = createDice(round);
    const { text, blocks } = render(messages[round % messages.length]!(dice, foreignOf(dice)));
    const spoken = { count: 0 };
    const fault = faultInBlocks(blocks, spoken) ?? faultInText(text, spoken.count);
    if (fault !== undefined) throw new Error(`round ${round}: ${fault}: ${text}\n${JSON.stringify(blocks)}`);
    if (text.includes(MARK)) shown += 1;
  }
  return { shown };
}

describe('a name, a reason or an error that would ping, link or format', () => {
  test(
    'is shown as it is in every kind of message',
    () => {
      const { shown } = holdAgainst(MESSAGES, RUNS);
      expect(shown).toBeGreaterThan(RUNS * 0.9);
    },
    MAX_MS,
  );

  test.each<[string, Shown<Message>[number]]>([
    [
      'the placeholder of a picker',
      (_dice, foreign) => whichInstance(`add ${foreign()} to`, 'a.b', say`Which?`),
    ],
    [
      'the lines of a menu',
      (_dice, foreign) => {
        const line = { label: `Remove ${foreign()}…`, routeId: 'addons.remove', value: 'v' };
        return { lines: [say`Add-ons`], menu: [line] };
      },
    ],
  ])('is shown as it is in %s', (_name, message) => void holdAgainst([message], 100));

  test(
    'is shown as it is in every modal, and carried in none',
    () => {
      for (let round = 0; round < RUNS / 5; round++) {
        const dice = createDice(round);
        const view = renderModal(MODALS[round % MODALS.length]!(dice, foreignOf(dice)), { channelId: 'C1' });
        const { blocks, ...rest } = view;
        const fault = faultInBlocks(blocks, { count: 0 });
        if (fault !== undefined) throw new Error(`round ${round}: ${fault}: ${JSON.stringify(blocks)}`);
        if (JSON.stringify(rest).includes(MARK)) throw new Error(`round ${round}: ${JSON.stringify(rest)}`);
      }
    },
    MAX_MS,
  );

  test('is one line under the field of a modal', () => {
    for (let round = 0; round < RUNS / 5; round++) {
      const dice = createDice(round);
      const text = toPlainText(PHRASES[round % PHRASES.length]!(dice, foreignOf(dice)));
      const isLine = text.includes(MARK) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
      if (!isLine) throw new Error(`round ${round}: ${text}`);
    }
  });

  test('is plain text in a picker', () => {
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
