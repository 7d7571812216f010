import { describe, expect, test } from 'vitest';
import { type Digest, digestMessage } from '../../../src/features/billing/digest/messages.ts';
import type { NamedDay } from '../../../src/features/billing/ledger/day.ts';
import { figuresOf, gapsIn } from '../../../src/features/billing/month/figures.ts';
import { runwayOf } from '../../../src/features/billing/balance/reading.ts';
import { amountOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { linkButton, messageSchema } from '../../../src/platform/slack/message.ts';
import { render } from '../../../src/platform/slack/render.ts';
import { toPlainText } from '../../../src/platform/slack/phrase.ts';
import { bookedOf } from '../../support/booked-of.ts';

const NOW = Date.UTC(2026, 10, 16, 8);
const NAMES: Record<string, string> = { 101: 'web-1', 102: 'llm', 103: 'db-1', 104: 'mail' };

type Booked = NonNullable<NamedDay['record']['booked']>;

/** A day on which so much was used of each instance. */
function spend(uses: Record<string, string>, over: Partial<Booked> = {}): NamedDay {
  const used = { daily_charge: Object.entries(uses).map(([id, of]): [string, string] => [id, of]) };
  return { day: '2026-11-15', record: { booked: bookedOf(used, { asOf: NOW, names: NAMES, ...over }) } };
}

function digest(thisWeek: NamedDay, lastWeek: NamedDay, over: Partial<Digest> = {}): Digest {
  const [balance, perDay] = [amountOf('6300'), amountOf('225')];
  const [days, before] = [[thisWeek], [lastWeek]];
  return {
    reading: { balance, perDay, runway: runwayOf(balance, perDay, NOW), asOf: NOW },
    figures: figuresOf(days, before, 'instance', { maySee: () => true, mayKnowAdded: true }),
    gaps: gapsIn([...before, ...days]),
    since: undefined,
    isBeforeCertain: !lastWeek.record.booked?.unreadable,
    paused: [],
    idle: [],
    unit: 'credits',
    topUp: [],
    asOf: NOW,
    zone: 'Europe/Madrid',
    lastDay: '2026-11-15',
    ...over,
  };
}

test('a digest opens the page where credit is bought, where a balance is spent', () => {
  const topUp = [linkButton('Top up', 'https://console.example.com/billing')];
  const spent = spend({ 101: '40' });
  expect(digestMessage(digest(spent, spent, { topUp })).buttons).toEqual(topUp);
  expect(digestMessage(digest(spent, spent, { topUp, reading: undefined })).buttons).toBeUndefined();
});

/** The message as plain lines, with bullets and note. */
function said(of: Digest): string[] {
  const { lines, bullets = [], note = [] } = digestMessage(of);
  return [
    ...lines.map(toPlainText),
    ...bullets.map((bullet) => `• ${toPlainText(bullet)}`),
    toPlainText(note),
  ];
}

const LAST_WEEK = spend({ 101: '100', 102: '12' });
const THIS_WEEK = spend({ 101: '140', 103: '9' }, { added: { purchase: [['', '5000']] } });
const UNKNOWN: NamedDay = { day: '2026-11-08', record: {} };

describe('a digest', () => {
  test('tells what was used, why it is more, how long it lasts and what stands still', () => {
    const of = digest(THIS_WEEK, LAST_WEEK, { idle: [{ id: '104', name: 'mail' }] });
    expect(said(of)).toEqual([
      'In the last seven days 149 credits were used, 37 more than in the week before.',
      '5,000 credits were added.',
      '💰 6,300 credits · 225 credits a day · about 28 days left, empty 2026-12-14',
      '1 is idle: mail (104).',
      'What changed most, in credits:',
      '• web-1 (101) +40',
      '• llm (102) −12, nothing this week',
      '• db-1 (103) new +9',
      'As of 2026-11-16 08:00 UTC (2026-11-16 09:00 in Europe/Madrid). Days are in UTC, until 2026-11-15.',
    ]);
  });

  test('says less, and as much, and counts in the unit of the deployment', () => {
    expect(said(digest(LAST_WEEK, THIS_WEEK, { unit: 'claws' }))[0]).toBe(
      'In the last seven days 112 claws were used, 37 less than in the week before.',
    );
    const alike = said(digest(spend({}), spend({})));
    expect(alike[0]).toBe('In the last seven days 0 credits were used, as much as in the week before.');
    expect(alike.join()).not.toContain('What changed most');
  });

  test('sums up smaller causes, and names what belongs to no instance or has lost its name', () => {
    const before = spend({ 101: '1', 104: '1', '': '1', 999: '1' });
    const lines = said(digest(spend({ 101: '3', 104: '4', '': '5', 999: '6' }), before));
    expect(lines.slice(-5, -1)).toEqual([
      '• instance 999 +5',
      '• no instance +4',
      '• mail (104) +3',
      '• all the rest +2',
    ]);
  });

  test('names five that are paused or idle, and counts the others', () => {
    const paused = Array.from({ length: 7 }, (_, index) => ({ id: String(index), name: `m-${index}` }));
    const of = digest(THIS_WEEK, LAST_WEEK, { paused, idle: paused.slice(0, 5) });
    expect(said(of)).toContain('7 are paused: m-0 (0), m-1 (1), m-2 (2), m-3 (3), m-4 (4) and 2 more.');
    expect(said(of)).toContain('5 are idle: m-0 (0), m-1 (1), m-2 (2), m-3 (3), m-4 (4).');
    expect(said(digest(THIS_WEEK, LAST_WEEK))).toContain('Nothing is paused or idle.');
  });

  test('counts no more than what is there at least where the list of instances is incomplete', () => {
    const incomplete = { read: 25, total: 60, isCertain: true };
    const lines = said(digest(THIS_WEEK, LAST_WEEK, { paused: [{ id: '104', name: 'mail' }], incomplete }));
    expect(lines).toContain('At least 1 is paused: mail (104).');
    expect(lines).toContain(
      'This list is incomplete: the service has 60 instances, and I could read only 25.',
    );
  });

  test('does not compare with a week that is not all known', () => {
    const lines = said(digest(THIS_WEEK, UNKNOWN));
    expect(lines[0]).toBe('In the last seven days 149 credits were used.');
    expect(lines).toContain('No figures for 8 November: they are in no sum.');
    expect(lines).toContain("I can't compare with the week before: I don't have all days of both.");
    expect(lines.join()).not.toContain('web-1');
    const young = said(digest(THIS_WEEK, UNKNOWN, { since: '2026-11-12' }));
    expect(young).toContain('My figures begin on 12 November.');
    expect(young.join()).not.toContain('No figures');
  });

  test('says no sum of a week of which nothing is known, and all else', () => {
    const lines = said(digest(UNKNOWN, LAST_WEEK));
    expect(lines[0]).toBe("I don't know yet what was used in the last seven days.");
    expect(lines.join()).toContain('6,300 credits');
    expect(lines.join()).not.toMatch(/0 credits were used/);
  });

  test('says what could not be read', () => {
    const unread = (day: NamedDay, unreadable: number): NamedDay =>
      spend({ 101: '149' }, { ...day.record.booked, unreadable });
    const lines = said(digest(unread(THIS_WEEK, 2), LAST_WEEK));
    expect(lines[0]).toContain('at least 149 credits');
    expect(lines).toContain(
      "I couldn't read the amount or time of 2 transactions, so they aren't in any sum.",
    );
    const before = said(digest(THIS_WEEK, unread(LAST_WEEK, 1)));
    expect(before[0]).not.toContain('at least');
    expect(before).toContain('Not all of the two weeks could be read, so the change is not certain.');
  });

  test('shows foreign names as they are, and is a message that can be kept', () => {
    const name = '<!channel> *bold*';
    const message = digestMessage(digest(THIS_WEEK, LAST_WEEK, { paused: [{ id: '7', name }] }));
    expect(render(message).text).toContain('&lt;!channel&gt; *bold* (7)');
    expect(messageSchema.parse(message)).toEqual(message);
  });
});
