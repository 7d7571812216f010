import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedAdapter } from '../../src/platform/hosting/adapter-shape.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import { priceWords } from '../../src/features/instances/price.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { asksThem, dmWith } from '../support/asking.ts';
import { RULE_RUNS } from '../support/runs.ts';
import { answeredWith, answerTo, opensModal } from '../support/sandbox.ts';
import { playOnTermCloud, serverCalled } from './outside/term-cloud-double.ts';
import { adapter } from './outside/term-cloud.ts';
import { playOn } from './play-on.ts';

const BY_MONTH = { price: { net: '12.50', currency: 'EUR', each: 'month' } };
const BY_YEAR = { price: { net: '99.00', currency: 'USD', each: 'year' } };
const SERVERS = [serverCalled('web-1', BY_MONTH), serverCalled('web-2', BY_YEAR), serverCalled('db-1')];

describe('what an instance costs', () => {
  test('stands on its card for who may see what is spent, and for nobody else', async () => {
    const { sandbox } = await playOnTermCloud(SERVERS);
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toContain('Price: 12.50 EUR a month');
    expect(await answerTo(sandbox, 'admin', '/instances show web-2')).toContain('Price: 99 USD a year');
    expect(await answerTo(sandbox, 'admin', '/instances show db-1')).not.toContain('Price');
    const card = await answeredWith(sandbox, 'ana', '/instances show web-1');
    expect(JSON.stringify(card.content)).toContain('web-1');
    expect(JSON.stringify(card.content)).not.toMatch(/12[.]50|EUR/u);
    expect(await answerTo(sandbox, 'ana', '/instances list')).not.toMatch(/12[.]50|EUR|USD/u);
  });

  test('stands in the question before it is canceled, for who may see it', async () => {
    const { sandbox } = await playOnTermCloud(SERVERS);
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toContain('It is running · 12.50 EUR a month.');
  });

  test.each([
    ['cancellation', 'cancel', () => playOnTermCloud(SERVERS)],
    ['deletion', 'delete', () => playOn('digitalocean')],
  ])('is not told to somebody who is allowed the %s alone', async (_what, verb, open) => {
    const { sandbox } = await open();
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', '/instances delete web-1', 'You need');
    const card = await dmWith(sandbox, 'admin', `@ana asks to ${verb} web-1`);
    await slack.person('admin').presses(card, 'Allow once');
    await dmWith(sandbox, 'ana', '@admin allowed you');
    const modal = await opensModal(sandbox, 'ana', '/instances delete web-1');
    expect(slack.readView(modal)).toMatch(/It is running(?: · s-1vcpu-1gb)?[.]/u);
    expect(JSON.stringify(modal)).not.toMatch(/12[.]50|EUR|USD/u);
  });

  test('is that of its size at DigitalOcean, by the month', async () => {
    const { sandbox } = await playOn('digitalocean');
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toMatch(/Price: \d+ USD a month/u);
  });
});

describe('a price', () => {
  const listed = (price: unknown) => {
    const [list] = listsOf(adapter.instances.list);
    const raw = {
      ...adapter,
      instances: { ...adapter.instances, list: { ...list!, item: (one: unknown) => one as Instance } },
    };
    const left: string[] = [];
    const given = { id: 's-1', name: 'web-1', status: 'running', statusWord: 'on', can: {}, price };
    const [checked] = listsOf(checkedAdapter(raw).instances.list);
    return { one: checked!.item(given, (field) => left.push(field)), left };
  };

  test.each([
    [{ amount: '0.0119', currency: 'EUR', per: 'hour' }, '0.0119 EUR an hour'],
    [{ amount: '1234567.80', currency: 'USD', per: 'day' }, '1,234,567.80 USD a day'],
    [{ amount: '6.00', currency: 'EUR', per: 'month' }, '6 EUR a month'],
    [{ amount: '0', currency: 'EUR', per: 'year' }, '0 EUR a year'],
  ] as const)('%j reads %s', (price, words) => {
    const { one, left } = listed(price);
    expect([priceWords(one), left]).toEqual([words, []]);
  });

  test.each([
    { amount: 12.5, currency: 'EUR', per: 'month' },
    { amount: '-1', currency: 'EUR', per: 'month' },
    { amount: '1e3', currency: 'EUR', per: 'month' },
    { amount: '12,50', currency: 'EUR', per: 'month' },
    { amount: 'NaN', currency: 'EUR', per: 'month' },
    { amount: '', currency: 'EUR', per: 'month' },
    { amount: '12.50', currency: '€', per: 'month' },
    { amount: '12.50', currency: '<!channel>', per: 'month' },
    { amount: '12.50', per: 'month' },
    { amount: '12.50', currency: 'EUR', per: 'week' },
    '12.50 EUR a month',
    null,
  ])('%j is none, and the instance is shown without it', (odd) => {
    const { one, left } = listed(odd);
    expect([one.id, one.price, left]).toEqual(['s-1', undefined, ['price']]);
  });

  test('is exact to the digit, or none', () => {
    const amounts = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.tuple(fc.nat(), fc.nat(99)).map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`),
    );
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom('EUR', 'eur', ''),
        fc.constantFrom('month', 'week'),
        (amount, currency, per) => {
          const { one } = listed({ amount, currency, per });
          const words = priceWords(one);
          if (words === undefined) return;
          expect([currency, per]).toEqual(['EUR', 'month']);
          const digits = words.replaceAll(',', '').replace(' EUR a month', '');
          expect(amount.replace(/[.]0+$/u, '').replace(/^0+(?=\d)/u, '')).toBe(digits);
        },
      ),
      { numRuns: RULE_RUNS },
    );
  });
});
