import { expect, it } from 'vitest';
import type { Message } from '../../src/platform/slack/message.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { createPartsTaken } from '../../src/platform/slack/parts-taken.ts';
import { createResponder } from '../../src/platform/slack/responder.ts';
import { connections } from '../support/connections.ts';

const words = { lines: [say`Boats`] };
const pressable = { ...words, buttons: [{ label: 'Show', routeId: 'boats.show', value: 'x' }] };
const figures = {
  ...words,
  table: { head: ['Boat'], rows: [['Ada']], numbers: [] },
  chart: { title: 'Boats', bars: [{ label: 'Ada', value: 1 }] },
};

it('of a message of words alone nothing needs to be known', () => {
  expect(createPartsTaken().has(words)).toBe(true);
  expect(createPartsTaken().has({ ...words, picker: { routeId: 'x', placeholder: 'x' } })).toBe(false);
});

it('what was taken last is taken, until Slack takes it only in a plainer form', () => {
  const taken = createPartsTaken();
  expect(taken.has(pressable)).toBe(false);
  taken.add(pressable, 'whole');
  expect(taken.has(pressable)).toBe(true);
  expect(taken.has({ ...pressable, ...figures })).toBe(false);
  taken.add(pressable, 'text');
  expect(taken.has(pressable)).toBe(false);
});

it('a chart that is refused says nothing against the table beside it', () => {
  const taken = createPartsTaken();
  taken.add(figures, 'plain-figures');
  expect([taken.has(figures), taken.has({ ...words, table: figures.table })]).toEqual([false, true]);
  taken.add(figures, 'whole');
  expect(taken.has(figures)).toBe(true);
  taken.add(figures, 'no-figures');
  expect(taken.has({ ...words, table: figures.table })).toBe(false);
});

it('a modal never goes with an acknowledgement, which opens none', () => {
  const { fitsAcknowledgement } = createResponder({} as never, { connections, timeoutMs: 1_000 }); // nothing is sent
  const modal = {
    routeId: 'boats.find',
    value: '',
    title: 'Boats',
    lines: [],
    field: { label: 'Boat' },
    submit: 'Show',
  };
  const fits = (message: Message, maxBytes = Infinity): boolean => fitsAcknowledgement(message, maxBytes);
  expect([fits(words), fits(words, 50), fits({ ...words, modal })]).toEqual([true, false, false]);
});
