import { DELETION } from '../support/deletion.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlackNo } from '../../sandbox/slack/api/refusal.ts';
import { checkView } from '../../sandbox/slack/limits/views.ts';
import type { Confirm } from '../../src/core/changes/declaration.ts';
import { askToConfirm } from '../../src/core/changes/ask-to-confirm.ts';
import { removePreview } from '../../src/features/addons/messages.ts';
import { confirmRemove } from '../../src/features/addons/remove.ts';
import { confirmDelete } from '../../src/features/instances/delete.ts';
import { deletePreview } from '../../src/features/instances/delete-messages.ts';
import type { Modal } from '../../src/platform/slack/message.ts';
import { readCarried, renderModal } from '../../src/platform/slack/modal.ts';
import { say, strong } from '../../src/platform/slack/phrase.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

const PLACE = { channelId: 'C012AB' };
const ID = 'aBcDeFgHiJkLmNoPqRsTuV';

function modalOf(confirm: Confirm, shown: Parameters<typeof askToConfirm>[2]): Modal {
  const { modal } = askToConfirm(
    { id: 'instances.delete', words: {}, confirm, cancelWindowMs: 120_000 },
    ID,
    shown,
  );
  if (!modal) throw new Error('no modal');
  return modal;
}

/** What the double says to a modal; undefined where it takes it. */
function refusal(modal: Modal, place: Parameters<typeof renderModal>[1] = PLACE): unknown {
  try {
    checkView(renderModal(modal, place));
    return undefined;
  } catch (error) {
    if (error instanceof SlackNo) return error.toJson();
    throw error;
  }
}

const foreign = fc.oneof(
  anyText({ maxLength: 350 }),
  fc.constantFrom(
    '',
    '\u200B',
    '\uD800',
    '<!channel>',
    ':fire: *bold*',
    '&'.repeat(3_100),
    'x'.repeat(5_000),
    '漢'.repeat(4_000),
  ),
);
const channel = fc.stringMatching(/^[CDG][A-Za-z0-9_]{1,63}$/);
const thread = fc.option(fc.stringMatching(/^\d{1,12}(\.\d{1,9})?$/), { nil: undefined });
const place = fc
  .tuple(channel, thread)
  .map(([channelId, threadTs]) => ({ channelId, ...(threadTs === undefined ? {} : { threadTs }) }));

/** Every modal of the bot about something of these names. */
function modalsOf(one: string, other: string, more: readonly string[]): readonly Modal[] {
  const instance = {
    id: one,
    name: other,
    status: 'unknown',
    statusWord: one,
    tier: other,
    dailyCostCredits: one,
    can: {},
  } as const;
  const addon = { id: one, type: other, tier: one, used: 5, limit: 1, dailyCredits: other };
  const addons = more.map((type) => ({ type, tier: one }));
  return [
    modalOf(confirmDelete, { instance, ...deletePreview(instance, undefined, 'credits', DELETION) }),
    modalOf(confirmDelete, { instance, ...deletePreview(instance, addons, 'credits', DELETION) }),
    modalOf(confirmRemove, { instance, args: { type: other }, ...removePreview(addon, instance, 'credits') }),
  ];
}

test('every modal is taken by Slack, whatever the names in it, and wherever it was asked for', () => {
  fc.assert(
    fc.property(foreign, foreign, fc.array(foreign, { maxLength: 4 }), place, (one, other, more, where) => {
      for (const modal of modalsOf(one, other, more)) {
        expect(refusal(modal, where)).toBeUndefined();
        const view = renderModal(modal, where);
        expect(view.title.text.length).toBeLessThanOrEqual(24);
        expect(view.private_metadata?.length).toBeLessThanOrEqual(3_000);
      }
    }),
    { numRuns: runs(3_000) },
  );
});

describe('a modal of any words is cut to what Slack takes:', () => {
  const modal = (over: Partial<Modal>): Modal => ({
    routeId: 'a.b',
    value: ID,
    title: 'Title',
    lines: [say`Line`],
    field: { label: 'Label' },
    submit: 'Go',
    ...over,
  });
  const long = 'x'.repeat(5_000);

  test.each<[string, Partial<Modal>]>([
    ['a long title', { title: long }],
    ['no title', { title: '' }],
    ['a long submit', { submit: long }],
    ['a long label', { field: { label: long } }],
    ['no label', { field: { label: '' } }],
    ['a long hint', { field: { label: 'Label', hint: long } }],
    ['many lines', { lines: Array.from({ length: 100 }, () => say`${strong(long)}`) }],
    ['many bullets', { bullets: Array.from({ length: 500 }, () => say`${strong(long)}`) }],
  ])('%s', (_name, over) => expect(refusal(modal(over))).toBeUndefined());

  test('a title of 24 characters stays whole, and a longer one is cut', () => {
    const title = (text: string): string => renderModal(modal({ title: text }), PLACE).title.text;
    expect(title('x'.repeat(24))).toBe('x'.repeat(24));
    expect(title('x'.repeat(25))).toBe(`${'x'.repeat(23)}…`);
  });

  test('its label and its hint hold foreign text without emoji codes', () => {
    const view = renderModal(modal({ field: { label: 'Type :fire:', hint: ':fire:' } }), PLACE);
    expect(view.blocks.at(-1)).toMatchObject({ label: { emoji: false }, hint: { emoji: false } });
  });

  test('without a hint there is none', () => {
    expect(renderModal(modal({}), PLACE).blocks.at(-1)).not.toHaveProperty('hint');
  });

  test('it goes to its route, and has one field to type into', () => {
    const view = renderModal(modal({ routeId: 'instances.delete' }), PLACE);
    expect(view.callback_id).toBe('instances.delete');
    expect(view.blocks.map(({ type }) => type)).toEqual(['rich_text', 'input']);
  });
});

describe('what a modal carries', () => {
  test('comes back as it was: the id and the place, and nothing of what is shown', () => {
    fc.assert(
      fc.property(
        foreign,
        foreign,
        place,
        fc.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        (one, other, where, id) => {
          const [modal] = modalsOf(one, other, []);
          const carried = renderModal({ ...modal!, value: id }, where).private_metadata ?? '';
          expect(readCarried(carried)).toEqual({ value: id, place: where });
          expect(Object.keys(JSON.parse(carried) as object)).toEqual(['value', 'place']);
        },
      ),
      { numRuns: runs(5_000) },
    );
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"value":'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['an array', '[]'],
    ['no value', JSON.stringify({ place: PLACE })],
    ['no place', JSON.stringify({ value: ID })],
    ['a value that is a number', JSON.stringify({ value: 7, place: PLACE })],
    ['a value as long as a book', JSON.stringify({ value: 'x'.repeat(101), place: PLACE })],
    ['a channel that is none', JSON.stringify({ value: ID, place: { channelId: '../x' } })],
    ['a person as channel', JSON.stringify({ value: ID, place: { channelId: 'U012AB' } })],
    ['a thread that is none', JSON.stringify({ value: ID, place: { ...PLACE, threadTs: 'x' } })],
    ['another app\u2019s metadata', '{"step":2,"form":{"a":1}}'],
    ['a prototype', '{"__proto__":{"value":"x","place":{"channelId":"C1"}}}'],
    ['nesting without an end', '['.repeat(3_000)],
  ])('is nothing where it is %s', (_name, metadata) => expect(readCarried(metadata)).toBeUndefined());

  test('is an id and a place alone, whatever else stands beside them', () => {
    const given = { value: ID, place: { ...PLACE, userId: 'U1' }, actor: { userId: 'U1' }, typed: 'web-1' };
    expect(readCarried(JSON.stringify(given))).toEqual({ value: ID, place: PLACE });
  });

  test('is nothing or a place that there can be, whatever JSON or text it is, and never a throw', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('C012AB', 'x', 1, null, {}, [], '1.5'));
    const near = fc.record({
      value: part,
      place: fc.record({ channelId: part, threadTs: part }, { requiredKeys: [] }),
    });
    const metadata = fc.oneof(
      anyText(),
      fc.json(),
      near.map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(metadata, (text) => {
        const carried = readCarried(text);
        if (carried === undefined) return true;
        return typeof carried.value === 'string' && /^[CDG][A-Za-z0-9_]{1,63}$/.test(carried.place.channelId);
      }),
      { numRuns: PURE_RUNS / 2 },
    );
  });
});
