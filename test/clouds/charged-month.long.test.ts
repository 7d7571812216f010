import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Cloud, CloudKind, CloudOptions } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { LEDGER } from '../../src/features/billing/ledger/filling.ts';
import { fileWith } from '../support/file-with.ts';
import { instead } from '../support/instead.ts';
import { answerTo, type PlayOptions, privateTexts, readNews } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { OPS } from '../billing/watching.ts';
import { says } from '../sentences/says.ts';
import { playOn } from './play-on.ts';

interface Readings {
  readonly cloud: Cloud;
  readonly sandbox: Sandbox;
  /** It is that moment, and the month has cost so much (USD): both are read. */
  reads(moment: string, usd: number): Promise<void>;
  /** It is that moment, and nothing is read. */
  at(moment: string): void;
  asks(line: string): Promise<string>;
}

/** A cloud whose month the bot reads, without a budget, only when the test says so. */
async function open(
  kind: CloudKind,
  played: PlayOptions = {},
  machines: CloudOptions['machines'] = [{ name: 'web-1' }, { name: 'db-1' }],
): Promise<Readings> {
  let today = Date.parse('2026-10-10T12:00Z');
  const { cloud, sandbox } = await playOn(
    kind,
    { machines },
    {
      faultPoints: instead('calendar', 'today', () => Promise.resolve(today)),
      ...played,
      env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...played.env },
      timings: { billingCheckEveryMs: 60_000, ...played.timings },
    },
  );
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const filling = createOneRecord(redis, LEDGER);
  return {
    cloud,
    sandbox,
    at: (moment) => (today = Date.parse(moment)),
    reads: async (moment, usd) => {
      cloud.setMoney({ pendingCents: Math.round(usd * 100) });
      // The reading at the start of the bot is of another moment.
      await until(async () => (await filling.get()).dueAt > 0);
      today = Date.parse(moment);
      await filling.change((record) => ({ ...record, dueAt: 1 }));
      await until(async () => (await filling.get()).dueAt > today);
      await sandbox.said();
    },
    asks: (line) => answerTo(sandbox, 'fin', line),
  };
}

const PRICE = { digitalocean: 6, vultr: 0.74 } as const;

describe.each(['digitalocean', 'vultr'] as const)('/billing month at %s', (kind) => {
  it('says at once what the running month costs, by what, and that it is not final', async () => {
    const { asks, at, cloud, sandbox } = await open(kind);
    cloud.setMoney({ pendingCents: 5_000 });
    at('2026-10-10T12:00Z');
    const text = await asks('/billing month');
    expect(text).toMatch(/^October 2026 has cost 50 USD so far\.\nThat is not final: /);
    expect(text).toContain(
      "I can't compare it with September 2026: I have no reading of the end of yesterday.",
    );
    expect(text).toMatch(new RegExp(`web-1 .*${PRICE[kind]}`));
    expect(text).toMatch(/not listed by the service\s*\| (?:38|48\.52)/);
    expect(text).toContain('[ Invoices and payments ]');
    expect(text).toMatch(/From what (?:DigitalOcean|Vultr) said that the month had cost, as of/);
    // A sentence goes by the real clock, for which that month may be over for long.
    const said = await says(sandbox, 'how much have we spent last month', { who: 'fin' });
    expect(said).toMatch(/(?:has cost 50 USD so far\.|hasn't begun\.)/);
  });

  it('compares the days that are over with the same days of the month before, by instance, type and group', async () => {
    const policy = fileWith('costgroups:\n  web: name:web-*\n');
    const { asks, reads, cloud } = await open(kind, { env: { LAMPLIGHTER_POLICY: policy } });
    await reads('2026-10-19T23:55Z', 20);
    cloud.remove('db-1');
    cloud.add({ name: 'web-9' });
    await reads('2026-10-31T23:55Z', 31.2);
    await reads('2026-11-19T23:55Z', 32.5);
    await reads('2026-11-20T10:55Z', 99);
    const november = await asks('/billing month');
    expect(november).toMatch(
      /^November 2026 has cost 32\.50 USD so far, 12\.50 USD more than the first 19 days of October 2026\.\n/,
    );
    const { [kind]: price } = PRICE;
    expect(november).toMatch(new RegExp(`web-9 .*\\| ${price}\\s+\\| 0`));
    expect(november).toMatch(new RegExp(`db-1 .*\\| 0\\s+\\| ${price}`));
    expect(november).not.toContain('99');
    expect(await asks('/billing month by type')).toMatch(/(?:Droplets|Cloud Compute)/);
    expect(await asks('/billing month by group')).toMatch(new RegExp(`web\\s+\\| ${price * 2}`));
    const why = await asks('/billing why');
    expect(why).toContain(`${price} USD more: web-9`);
    expect(why).toContain('cost nothing in the first 19 days of October 2026.');
    expect(why).not.toContain('is new');
    expect(why).toContain(`${price} USD less: db-1`);
    expect(why).toContain('costs nothing any more.');
    expect(why).toMatch(/12\.50 USD more: not listed by the service: /);
  });

  it('shows a month that is over by its last reading and its invoice', async () => {
    const { asks, reads, at, cloud } = await open(kind);
    await reads('2026-10-30T23:55Z', 30);
    cloud.setMoney({
      history: [
        { at: Date.UTC(2026, 10, 2), kind: 'payment', description: 'Payment', amountCents: 3_200 },
        { at: Date.UTC(2026, 10, 1), kind: 'invoice', description: 'October', amountCents: 3_200 },
        { at: Date.UTC(2026, 9, 1), kind: 'invoice', description: 'September', amountCents: 2_900 },
      ],
    });
    at('2026-11-05T12:00Z');
    const october = await asks('/billing month last month');
    expect(october).toMatch(
      /^October 2026 cost at least 30 USD\.\nThe invoice of 1 November 2026 comes to 32 USD\.\n/,
    );
    expect(october).toContain('I read it last on 30 October: what came after that is in no sum.');
    const september = await asks('/billing month september');
    expect(september).toContain(
      'I have no readings of September 2026, so I know no days and no parts of it.',
    );
    expect(september).toContain('The invoice of 1 October 2026 comes to 29 USD.');
    expect(await asks('/billing why august')).toContain('I found no invoice for it.');
    cloud.failNext({ method: 'GET', path: /history/ }, { kind: 'status', status: 503 }, 20);
    expect(await asks('/billing month october')).toMatch(
      /cost at least 30 USD\.\nI can't read its invoice just now\./,
    );
  });

  it('compares no month that is over with another one unless it was read to its end', async () => {
    const { asks, reads, at } = await open(kind);
    await reads('2026-09-30T23:55Z', 25);
    await reads('2026-10-30T23:55Z', 30);
    at('2026-11-05T12:00Z');
    const partly = await asks('/billing month october');
    expect(partly).toMatch(/^October 2026 cost at least 30 USD\.\n/);
    expect(partly).toContain(
      "I can't compare it with September 2026: I have no reading of the end of 31 October.",
    );
    await reads('2026-10-31T23:55Z', 31);
    at('2026-11-05T12:00Z');
    expect(await asks('/billing month october')).toMatch(
      /^October 2026 cost 31 USD, 6 USD more than September 2026\.\n/,
    );
  });

  it('takes nothing on the first of a month that may still be last month’s', async () => {
    const { asks, reads, at } = await open(kind);
    await reads('2026-10-31T23:55Z', 30);
    await reads('2026-11-01T02:55Z', 30);
    at('2026-11-02T12:00Z');
    expect(await asks('/billing month')).toContain('I have no reading of the end of yesterday');
    await reads('2026-11-01T23:55Z', 1);
    at('2026-11-02T12:00Z');
    expect(await asks('/billing month')).toMatch(/^November 2026 has cost 1 USD so far\./);
  });

  it('says so where the service tells only the sum of a month', async () => {
    const { asks, reads, at, cloud } = await open(kind);
    await reads('2026-10-18T23:55Z', 20);
    cloud.failNext({ method: 'GET', path: /invoices|pending-charges/ }, { kind: 'status', status: 404 }, 20);
    await reads('2026-10-19T23:55Z', 22);
    at('2026-10-20T12:00Z');
    const text = await asks('/billing month');
    expect(text).toMatch(/^October 2026 has cost 22 USD so far\./);
    expect(text).toMatch(/gave only the sum of it, so I know none of its parts\./);
  });

  it('says no such thing of a month that has cost nothing', async () => {
    const { asks, at, cloud } = await open(kind, {}, []);
    cloud.setMoney({ pendingCents: 0 });
    at('2026-10-10T12:00Z');
    const text = await asks('/billing month');
    expect(text).toMatch(/^October 2026 has cost 0 USD so far\./);
    expect(text).not.toContain('only the sum');
  });

  it('tells a budget of a group and of the account once the day is over that has reached it', async () => {
    const policy = fileWith('costgroups:\n  web: name:web-*\n');
    const { asks, reads, cloud, sandbox } = await open(kind, { env: { LAMPLIGHTER_POLICY: policy } });
    const { [kind]: price } = PRICE;
    await reads('2026-10-18T23:55Z', 20);
    await reads('2026-10-19T10:55Z', 20.5);
    const set = await asks(`/billing budget web ${price * 2.5} at 50 80`);
    expect(set).toContain(`October has cost ${price} USD so far, 40 % of it.`);
    expect(set).toContain('From what the service said that the month had cost, as of');
    expect(await asks('/billing budget all 50 EUR')).toContain(`I can't read "50 eur" as a budget`);
    expect(await asks('/billing budget all 50 USD at 40 pace')).toContain('20 USD so far, 40 % of it.');
    cloud.add({ name: 'web-9' });
    await reads('2026-10-19T23:55Z', 24);
    expect(readNews(sandbox).join('\n')).not.toContain('has used');
    await reads('2026-10-20T00:55Z', 24.1);
    const told = (): string[] => readNews(sandbox).filter((text) => text.includes('has used'));
    await sandbox.slack.until(() => told()[0]);
    const news = told();
    expect(news).toHaveLength(1);
    expect(news[0]).toContain(
      `The group web has used 80 % of its budget for October: ${price * 2} of ${price * 2.5} USD so far.`,
    );
    expect(news[0]).toMatch(/Most of it: web-\d(?: \(\d+\))? /);
    await reads('2026-10-20T23:55Z', 25);
    await reads('2026-10-21T00:55Z', 25.1);
    expect(readNews(sandbox).filter((text) => text.includes('has used'))).toHaveLength(1);
    expect(await asks('/billing budget')).toMatch(/25 USD so far, 50 % of it/);
  });

  it('shows a month by a label of instances, and by groups that are filters of labels and tiers', async () => {
    const policy = fileWith('costgroups:\n  core: label:team:core\n  rest: -label:team -tier:huge\n');
    const { asks, reads, at } = await open(kind, { env: { LAMPLIGHTER_POLICY: policy } }, [
      { name: 'api-1', tags: ['env:prod', 'team:core'] },
      { name: 'api-2', tags: ['team:core'] },
      { name: 'web-1', tags: ['team:Web'] },
      { name: 'old-1', tags: [] },
    ]);
    const { [kind]: price } = PRICE;
    await reads('2026-10-19T23:55Z', 50);
    at('2026-10-20T12:00Z');
    const byTeam = await asks('/billing month by label:team');
    expect(byTeam).toMatch(new RegExp(`^Label team +\\| USD in October 2026`, 'm'));
    expect(byTeam).toMatch(new RegExp(`^core +\\| ${price * 2}$`, 'm'));
    expect(byTeam).toMatch(new RegExp(`^Web +\\| ${price}$`, 'm'));
    expect(byTeam).toMatch(/^no team +\| /m);
    const byGroup = await asks('/billing month by group');
    expect(byGroup).toMatch(new RegExp(`^core +\\| ${price * 2}$`, 'm'));
    expect(byGroup).toMatch(new RegExp(`^rest +\\| ${price}$`, 'm'));
    expect(await asks('/billing month by team')).toContain('by a label of instances, as in by label:team');
    const slip = await asks('/billing month by label:tem');
    expect(slip).toContain('Nothing that was charged for had the label "tem". Did you mean by label:team?');
    expect(slip).toMatch(/\[ [^\]]*by label:team[^\]]* \]/);
    expect(await asks('/billing month by label:zone')).toContain('had the label "zone". There is by label:');
    expect(await asks('/billing month by label:team --csv')).toContain('month-2026-10-by-label-team.csv');
  });

  it('is nothing for who may not see the money', async () => {
    const { asks } = await open(kind, { env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    for (const verb of ['month', 'why'])
      expect(await asks(`/billing ${verb}`)).toContain('You need the finance role');
  });
});

it('tells a budget by the pace of a month, from ten days on', async () => {
  const { asks, reads, at } = await open('digitalocean');
  for (let day = 1; day <= 14; day++)
    await reads(`2026-10-${String(day).padStart(2, '0')}T23:55Z`, day === 1 ? 1 : day * 2);
  at('2026-10-15T12:00Z');
  const set = await asks('/billing budget all 100 at pace');
  expect(set).toMatch(
    /October has cost 28 USD so far, 28 % of it, and comes to about 62\.1 USD at this pace\./,
  );
});

it('tells what each of two accounts costs in what it is paid in, and adds nothing of the two up', async () => {
  const { sandbox, asks, at, cloud } = await open('digitalocean', {
    accounts: { words: { acme: { service: 'digitalocean' } } },
  });
  cloud.setMoney({ pendingCents: 5_000 });
  at('2026-10-10T12:00Z');
  await asks('/billing month');
  await until(() => privateTexts(sandbox, 'fin').length >= 2);
  const texts = privateTexts(sandbox, 'fin');
  const [acme, labs] = ['acme', 'labs'].map(
    (name) => texts.find((text) => text.startsWith(`\`${name}\``)) ?? '',
  );
  expect(acme).toContain('October 2026 has cost 50 USD so far.');
  expect(acme).not.toContain('credits');
  expect(labs).toMatch(/credits|I have no figures/);
  expect(labs).not.toContain('USD');
});
