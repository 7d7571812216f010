import { describe, expect, it, test } from 'vitest';
import { answerTo, play, privateTexts } from '../support/sandbox.ts';
import { checkWords, playMonth } from './month.ts';
import { playOn } from './play-on.ts';

const POSTPAID = ['digitalocean', 'vultr'] as const;
const NAMES = { digitalocean: 'DigitalOcean', vultr: 'Vultr' } as const;
const SET = '/billing alerts set budget 200 USD';

describe.each(POSTPAID)('the budget of a month at %s', (kind) => {
  it('is reported at 80 % and at 100 %, each once, on one card', async () => {
    const month = await playMonth(kind);
    expect(await month.asks(SET)).toMatch(/^Changed\.\n🔔 The budget of a month is 200 USD\./);
    await month.on('2026-11-28', 159.99);
    expect(month.read()).toEqual([]);
    await month.on('2026-11-28', 160);
    await month.again();
    expect(month.read()).toHaveLength(1);
    expect(month.read()[0]).toMatch(
      /^🟡 November has used 80 % of its budget\.\n🧾 160 USD of 200 USD so far · about 178 USD by .* at this pace$/m,
    );
    await month.on('2026-11-30T12:00Z', 200.01);
    await month.again();
    const [card, worse, ...more] = month.read();
    expect(more).toEqual([]);
    for (const text of [card, worse])
      expect(text).toMatch(/^⛔ November has used up its budget of 200 USD: 200\.01 USD so far\.$/m);
    checkWords(month);
  });

  it('is what the forecast is measured by, which is a range once ten days are known', async () => {
    const month = await playMonth(kind);
    await month.asks(SET);
    await month.on('2026-11-02', 10);
    for (let day = 3; day <= 11; day++)
      await month.on(`2026-11-${`${day}`.padStart(2, '0')}T12:00Z`, day * 5);
    const before = await month.asks('/billing forecast');
    expect(before).toMatch(/^📈 November comes to about 1\d\d USD by .* at this pace\.$/m);
    expect(before).toContain('I know what 8 days cost so far; I give a range from 10 days on.');
    for (const day of [12, 13, 14]) await month.on(`2026-11-${day}T12:00Z`, day * 5);
    const after = await month.asks('/billing what will this month cost');
    expect(after).toMatch(/^📈 November comes to 1\d\d to 1\d\d USD, most likely 1\d\d\.$/m);
    expect(after).toContain('That is within the budget of 200 USD.');
    expect(after).toContain('70 USD of it so far, from 11 days of spending.');
    checkWords(month);
  });

  it('is reported when the pace will pass it, with the day, but not in the first days of a month', async () => {
    const month = await playMonth(kind);
    await month.asks(SET);
    await month.on('2026-11-01T12:00Z', 20);
    await month.on('2026-11-05T23:59Z', 100);
    expect(month.read()).toEqual([]);
    await month.on('2026-11-11', 100);
    await month.on('2026-11-12', 101);
    expect(month.read()).toHaveLength(1);
    expect(month.read()[0]).toMatch(/^🟡 November will pass its budget at this pace, on .*22/m);
    // Once is once, although the pace wobbles.
    await month.on('2026-11-20', 101);
    await month.on('2026-11-21', 150);
    expect(month.read()).toHaveLength(1);
    await month.on('2026-11-22', 162);
    expect(month.read()).toHaveLength(2);
    expect(month.read()[1]).toMatch(
      /^🔴 November has used 81 % of its budget\. At this pace it passes 100 % on/m,
    );
    checkWords(month);
  });

  it('is reported when the pace will pass it after all, where most of it was used before', async () => {
    const month = await playMonth(kind);
    await month.asks(SET);
    await month.on('2026-11-28', 165);
    await month.on('2026-11-29', 190);
    expect(month.read()).toHaveLength(2);
    expect(month.read()[1]).toMatch(/95 % of its budget\. At this pace it passes 100 % on/);
  });

  it('is over when it is raised or cleared, and another one is judged for itself', async () => {
    const month = await playMonth(kind);
    await month.asks(SET);
    await month.on('2026-11-28', 165);
    await month.asks('/billing alerts set budget 1,000 usd');
    await month.again();
    expect(month.read()).toHaveLength(1);
    expect(month.read()[0]).toMatch(/^⚪ The budget was changed .*; this alert is over\.$/m);
    await month.asks('/billing alerts set budget $180');
    await month.again();
    expect(month.read()).toHaveLength(2);
    expect(await month.asks('/billing alerts clear budget')).toContain('There is no budget yet');
    await month.again();
    expect(month.read()[1]).toMatch(/^⚪ The budget was cleared .*; this alert is over\.$/m);
    expect(month.read()).toHaveLength(2);
  });

  it('begins again with the month, and does not count what the last one cost', async () => {
    const month = await playMonth(kind);
    await month.asks(SET);
    await month.on('2026-11-30', 210);
    // The service still gives the amount of November.
    await month.on('2026-12-01T00:10Z', 212);
    expect(month.read()).toHaveLength(1);
    expect(month.read()[0]).toMatch(/^🗓️ November is over, and so is this alert\.\n🧾 210 USD of 200 USD$/m);
    await month.on('2026-12-01T06:00Z', 1);
    await month.on('2026-12-01T20:00Z', 170);
    expect(month.read()).toHaveLength(2);
    expect(month.read()[1]).toMatch(/^🟡 December has used 85 % of its budget\.$/m);
    checkWords(month);
  });

  it('has a person who is on it, is quiet for a while, and shows what costs', async () => {
    const month = await playMonth(kind, { timings: { stillOnItAfterMs: 1 } });
    await month.asks(SET);
    await month.on('2026-11-28', 165);
    await month.presses('ana', /82 %/, "I'm on it");
    expect(month.read()[0]).toContain('@ana is on it');
    await month.again();
    expect(month.read()[1]).toContain('@ana, are you still on the budget?');
    await month.presses('fin', /is on it/, 'Snooze for an hour');
    expect(month.read()[0]).toMatch(/Snoozed by @fin until/);
    checkWords(month);
  });

  it('warns of nothing that can not be read, says so once, and once that it can again', async () => {
    const month = await playMonth(kind, { timings: { unknownAfterMs: 1 } });
    await month.asks(SET);
    await month.on('2026-11-10', 5);
    const mend = month.cloud.failNext({ method: 'GET' }, { kind: 'status', status: 500 }, 1_000);
    await month.again();
    await month.again();
    await month.again();
    expect(month.read()).toHaveLength(1);
    expect(month.read()[0]).toMatch(
      /I haven't been able to read what this month costs since[^]*costs nothing/,
    );
    expect(await month.asks('/billing alerts')).toContain("Right now I can't read what this month costs.");
    mend();
    await month.again();
    expect(month.read()[1]).toContain('I can read what this month costs again.');
    checkWords(month);
  });

  it('asks the service for nothing while there is none', async () => {
    const month = await playMonth(kind);
    const before = month.cloud.calls.length;
    await month.again();
    expect(month.cloud.calls.slice(before).filter(({ path }) => /balance|account/.test(path))).toEqual([]);
    expect(await month.asks('/billing alerts')).toContain(
      'There is no budget yet, so I warn of nothing. Set one with /billing alerts set budget 200 USD.',
    );
  });

  it('is shown beside what the month costs', async () => {
    const month = await playMonth(kind);
    await month.on('2026-11-16', 50);
    expect(await month.asks('/billing')).not.toContain('budget');
    await month.asks(SET);
    expect(await month.asks('/billing')).toMatch(
      /^🧾 50 USD this month so far · 25 % of the budget of 200 USD · about 100 USD by/m,
    );
    checkWords(month);
  });

  it.each([
    [`${SET.slice(0, -4)}EUR`, `${NAMES[kind]} bills in USD, so the budget must be in USD, too`],
    ['/billing alerts set budget €200', `${NAMES[kind]} bills in USD`],
    ['/billing alerts set budget', 'How much may a month cost?'],
    ['/billing alerts set budget 0', `I can't read "0" as a budget.`],
    ['/billing alerts set budget -5', `I can't read "-5" as a budget.`],
    ['/billing alerts set budget 1.000', `I can't read "1.000" as a budget.`],
    ['/billing alerts set budget 200,50', `I can't read "200,50" as a budget.`],
    ['/billing alerts set budget lots', `I can't read "lots" as a budget.`],
    ['/billing alerts set', 'How much may a month cost?'],
    ['/billing alerts set warn 5d', 'I can set the budget of a month'],
    ['/billing alerts clear', 'Clear what?'],
    ['/billing alerts louder', 'You can use set, clear, here, on, off, test, ack, unsnooze and snooze'],
    ['/billing alerts ack', 'There is no alert right now'],
  ])('%s is refused in one clear sentence, and nothing changes', async (line, words) => {
    const month = await playMonth(kind);
    await month.asks('/billing alerts set budget 300');
    expect(await month.asks(line)).toContain(words);
    expect(await month.asks('/billing alerts')).toContain('The budget of a month is 300 USD.');
    checkWords(month);
  });
});

test('BILLING_BUDGET counts, can not be changed in Slack, and is no balance', async () => {
  const month = await playMonth('digitalocean', {
    env: { BILLING_BUDGET: '$200', BILLING_WARN: '5d', LAMPLIGHTER_ADMINS: 'U0FIN000001' },
  });
  await month.on('2026-11-28', 165);
  expect(month.read()).toHaveLength(1);
  for (const words of ['set budget 300', 'clear budget'])
    expect(await month.asks(`/billing alerts ${words}`)).toContain(
      "The budget is kept in the configuration (BILLING_BUDGET), so it can't be changed here.",
    );
  checkWords(month);
});

test('a bot whose budget is in another currency than the bill does not start', async () => {
  await expect(playOn('vultr', {}, { env: { BILLING_BUDGET: '200 EUR' } })).rejects.toThrow(
    'BILLING_BUDGET must be in USD, which Vultr bills in',
  );
});

test('an operator sets no budget, and may take an alert', async () => {
  const month = await playMonth('vultr', {
    env: { LAMPLIGHTER_EVERYONE: 'operator', BILLING_BUDGET: '200' },
  });
  expect(await month.asks(SET)).toContain('You need the finance role');
  await month.on('2026-11-28', 165);
  await month.presses('ana', /82 %/, "I'm on it");
  expect(month.read()[0]).toContain('@ana is on it');
});

test('alerts of a budget are switched off and on, tried, and sent to a channel', async () => {
  const month = await playMonth('digitalocean', {
    env: { BILLING_CHANNELS: '', LAMPLIGHTER_EVERYONE: 'admin' },
  });
  await month.asks(SET);
  expect(await month.asks('/billing alerts here')).toContain('Alerts go to this channel now');
  await month.asks('/billing alerts test');
  expect(month.read().join()).toContain('This is a test of budget alerts, asked by @fin');
  await month.on('2026-11-28', 165);
  expect(await month.asks('/billing alerts off')).toContain('Nobody will be warned of what a month costs.');
  await month.again();
  expect(month.read().at(-1)).toContain('Alerts were turned off');
  expect(await month.asks('/billing alerts on')).toContain('Alerts are on.');
  await month.again();
  expect(month.read()).toHaveLength(3);
  checkWords(month);
});

test('Hetzner Cloud says nothing of money, so there is no budget and no look at one', async () => {
  const { cloud, sandbox } = await playOn('hetzner', {}, { env: { BILLING_BUDGET: '200 EUR' } });
  const answer = await answerTo(sandbox, 'admin', '/billing alerts set budget 200 EUR');
  expect(answer).toContain('Hetzner Cloud has no balance');
  await sandbox.look();
  expect(cloud.calls.filter(({ path }) => /pricing|billing|account/.test(path))).toEqual([]);
});

test('a balance that is paid before has no budget', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  await sandbox.slack.person('fin').types('#ops', SET);
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
  expect(privateTexts(sandbox, 'fin')[0]).toContain('I can set warn and critical');
});

test('doctor says whether the budget is looked at, and where its alerts go', async () => {
  const month = await playMonth('vultr', {
    env: { BILLING_BUDGET: '200', LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: '' },
  });
  await month.again();
  const found = await month.asks('/lamplighter doctor');
  expect(found).toContain('What the month costs was last checked');
  expect(found).toContain('Budget alerts go to @admin alone: no channel is named.');
  await month.asks('/billing alerts off');
  expect(await month.asks('/lamplighter doctor')).toContain(
    'Budget alerts are turned off, so nobody hears of what a month costs.',
  );
});
