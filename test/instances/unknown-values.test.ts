import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { refuseUnknownValues } from '../../src/core/lookup/filter-values.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { type Instance, STATUSES } from '../../src/platform/hosting/service.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { instance as oneOf } from '../operations/operation.ts';
import { answerTo, play, playTogether, powerCalls } from '../support/sandbox.ts';

const WORLD = { world: worldOf([instance(1, 'web-1'), instance(2, 'web-2', { status: 'stopped' })]) };

const together = playTogether({ hosting: WORLD });

describe('a status or a health that nothing can have', () => {
  it.each([
    ['list status:runing', 'I don\'t know the status "runing". Did you mean running?'],
    ['status:running,stoped', 'I don\'t know the status "stoped". Did you mean stopped?'],
    ['list -status:RUNING', 'I don\'t know the status "RUNING". Did you mean running?'],
    ['list health:unhelthy', 'I don\'t know the health "unhelthy". Did you mean unhealthy?'],
    ['list status:purple', 'I don\'t know the status "purple".'],
  ])('is no empty list: %s', async (words, no) => {
    const sandbox = await together();
    expect(await answerTo(sandbox, 'ana', `/instances ${words}`)).toContain(no);
  });

  it.each(['stop status:runing', 'restart -health:unhelthy', 'schedule status:runing stop at 20:00 UTC'])(
    'chooses nothing to change: %s',
    async (words) => {
      const sandbox = await together();
      const no = await answerTo(sandbox, 'ana', `/instances ${words}`);
      expect(no).toMatch(/I don't know the (status|health) "\w+"\. Did you mean \w+\? Nothing was done\./);
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(0);
    },
  );

  it('is found in a favorite, too', async () => {
    const sandbox = await play({ hosting: WORLD });
    await answerTo(sandbox, 'ana', '/instances save nightly = status:runing');
    expect(await answerTo(sandbox, 'ana', '/instances list nightly')).toContain('Did you mean running?');
  });
});

describe('a status that is known', () => {
  it('is taken, whether or not an instance has it now', async () => {
    const sandbox = await together();
    for (const status of [...STATUSES, 'active', 'unknown', 'run*'])
      expect(await answerTo(sandbox, 'ana', `/instances list status:${status}`)).not.toContain("don't know");
  });

  it('is the word of the service, where an instance has it', () => {
    const one: Instance = { ...oneOf('unknown'), statusWord: 'Levitating', health: 'fine' };
    expect(() => refuseUnknownValues(['status:levitating', 'health:fine'], [one])).not.toThrow();
    expect(() => refuseUnknownValues(['status:levitating'], [])).toThrow(Refusal);
  });
});

it('a part of a list is no proof that nothing has a label or is in a region, but a slip of one is a slip', () => {
  const one: Instance = { ...oneOf('running'), region: 'fra1', labels: ['team=web'] };
  for (const filter of ['region:nyc', 'label:team=marketing']) {
    expect(() => refuseUnknownValues([filter], [one])).toThrow(Refusal);
    expect(() => refuseUnknownValues([filter], [one], false, true)).not.toThrow();
  }
  for (const filter of ['region:fra', 'label:tem=web', 'status:runing'])
    expect(() => refuseUnknownValues([filter], [one], false, true)).toThrow(Refusal);
});

it('of more regions than are named, the rest is counted after a space', () => {
  const all = Array.from({ length: 8 }, (_, at): Instance => ({ ...oneOf('running'), region: `r${at}` }));
  const wordsOf = (filter: string): string => {
    try {
      refuseUnknownValues([filter], all);
      return 'taken';
    } catch (error) {
      return error instanceof Refusal ? error.answer.lines.map(toPlainText).join() : 'no refusal';
    }
  };
  expect(wordsOf('region:zzz')).toContain('There are r0, r1, r2, r3, r4 and 3 more.');
  expect(wordsOf('region:r')).toContain('Did you mean r0, r1, r2, r3, r4 or one of 3 more?');
});
