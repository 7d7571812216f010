import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answeredWith, answerTo, play, playTogether, privateTexts, readAll } from '../support/sandbox.ts';

const chartSchema = z.object({
  chart: z.object({ axis_config: z.object({ categories: z.array(z.string()) }) }),
});
const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };

const together = playTogether({ env: FINANCE });

const asked = (sandbox: Sandbox, line: string, who = 'fin'): Promise<string> => answerTo(sandbox, who, line);

describe('/billing', () => {
  it.each(['/billing', '/billing balance'])(
    '%s tells finance alone what is left and how long it lasts',
    async (line) => {
      const sandbox = await together();
      const text = await asked(sandbox, line);
      expect(text).toMatch(
        /6,300 credits · [\d,]+ credits a day · about \d+ days left, empty [A-Z][a-z]{2} \d/,
      );
      expect(text).toContain('At zero the host pauses these');
      expect(text).toContain('web-1 (101)');
      expect(text).toMatch(/As of /);
      expect(readAll(sandbox)).toEqual([]);
    },
  );

  it('is understood as a mention', async () => {
    const sandbox = await play({ env: FINANCE });
    await sandbox.slack.person('fin').mentions('#ops', 'balance');
    await sandbox.slack.until(() => privateTexts(sandbox, 'fin').length > 0);
    expect(privateTexts(sandbox, 'fin')[0]).toContain('6,300 credits');
  });

  it('lasts for ever while nothing costs anything', async () => {
    const world = worldOf([instance(1, 'idle', { status: 'stopped' })]);
    const sandbox = await play({ env: FINANCE, hosting: { world } });
    expect(await asked(sandbox, '/billing')).toContain('nothing costs anything right now');
  });

  it('says of a negative cost what is known, and not that nothing costs anything', async () => {
    const sandbox = await play({ env: FINANCE });
    sandbox.hosting.breakBalance('harbour', {
      answer: 200,
      done: true,
      body: '{"data":{"claws_balance":900,"daily_claw_cost":-7}}',
    });
    const text = await asked(sandbox, '/billing');
    expect(text).toContain(
      '900 credits · the service reports a negative cost of -7 credits a day, so how long it lasts is unknown',
    );
    expect(text).not.toContain('nothing costs anything');
  });

  it('has two buttons and a menu: usage, and buying time where something runs', async () => {
    const sandbox = await together();
    expect(await asked(sandbox, '/billing')).toMatch(
      /\[ Usage \] +\[ Buy time \].*Transactions.*Alerts.*Share/,
    );
    const empty = await play({ env: FINANCE, customer: 'overdrawn' });
    expect(await asked(empty, '/billing')).not.toContain('Buy time');
  });

  it('is exact where amounts come as decimal strings', async () => {
    const sandbox = await play({ env: FINANCE, hosting: { variant: { money: 'decimal string' } } });
    expect(await asked(sandbox, '/billing')).toContain('6,300 credits');
  });

  const asEveryone = playTogether();
  it.each([
    '/billing',
    '/billing usage',
    '/billing transactions',
    '/billing transactions --csv',
    '/billing buy-time',
    '/billing what-if stop web-1',
  ])('shows an operator no figure for %s', async (line) => {
    const sandbox = await asEveryone();
    const text = await asked(sandbox, line, 'ana');
    // A command with many words is said again.
    expect(text.replace(/^What if stop web-1: /, '')).toBe(
      'You need the finance role to see what is spent, and on what. @admin can help.\n[ Ask them ]',
    );
    expect(sandbox.hosting.countCalls('GET', /billing/)).toBe(0);
    expect(sandbox.slack.person('ana').dms).toEqual([]);
  });
});

describe('/billing usage', () => {
  it('shows a chart of eight bars at most, the last for all others, a table of every row, and the numbers in the text', async () => {
    const sandbox = await together();
    const text = await asked(sandbox, '/billing usage');
    expect(text).toMatch(/Instances cost [\d,]+ credits a day, most expensive first/);
    expect(text).toContain('bar chart');
    expect(text).toMatch(/db-1 \(105\) +\| 210/);
    const message = sandbox.slack.channel('#ops').ephemeralFor('fin').at(-1);
    expect(message?.text).toContain('db-1 (105) · 210');
    const chart = message?.blocks.find(({ type }) => type === 'data_visualization');
    const { categories } = chartSchema.parse(chart).chart.axis_config;
    expect(categories).toHaveLength(8);
    expect(categories.at(-1)).toMatch(/^\d+ others$/);
    expect(text).toContain('worker-1 (103)');
  });

  it('shows add-ons when asked to, or by the button', async () => {
    const sandbox = await together();
    expect(await asked(sandbox, '/billing usage by addon')).toMatch(
      /llm \(standard\) on web-1 \(701\) +\| 45/,
    );
    const message = await answeredWith(sandbox, 'fin', '/billing usage');
    await sandbox.slack.person('fin').presses(message, 'By add-on');
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('Add-ons cost'));
  });

  it('is shown once without the chart where a workspace refuses charts', async () => {
    const sandbox = await play({ env: FINANCE });
    sandbox.slack.failNext('response_url', { error: 'invalid_blocks' });
    const text = await asked(sandbox, '/billing usage');
    expect(text).not.toContain('bar chart');
    expect(text).toMatch(/db-1 \(105\) +\| 210/);
    expect(privateTexts(sandbox, 'fin')).toHaveLength(1);
  });

  it('is a list where a workspace refuses tables as well', async () => {
    const sandbox = await play({ env: FINANCE });
    for (let times = 0; times < 2; times++)
      sandbox.slack.failNext('response_url', { error: 'msg_blocks_too_long' });
    const text = await asked(sandbox, '/billing usage');
    expect(text).toContain('• db-1 (105) · 210');
    expect(text).toContain('[ By add-on ]');
    expect(privateTexts(sandbox, 'fin')).toHaveLength(1);
  });

  it('sums up as others what is too long for a table', async () => {
    const long = (index: number): string => `m-${index}-${'x'.repeat(80)}`;
    const many = Array.from({ length: 60 }, (_, index) =>
      instance(1_000 + index, long(index), { dailyCredits: 100 + index }),
    );
    const world = worldOf(many, { balanceCredits: 1_000_000 });
    const sandbox = await play({ env: FINANCE, hosting: { world } });
    const text = await asked(sandbox, '/billing usage');
    const others = Number(/(\d+) that cost less are summed up/.exec(text)?.[1]);
    expect(text.match(/m-\d+-x[^|\n]*\|/g)).toHaveLength(60 - others);
    expect(text).toContain(`${others} others`);
    expect(text).not.toContain('more rows');
  });

  it('sums up as others what does not fit', async () => {
    const many = Array.from({ length: 70 }, (_, index) =>
      instance(1_000 + index, `m-${index}`, { dailyCredits: 100 + index }),
    );
    const world = worldOf(many, { balanceCredits: 1_000_000 });
    const sandbox = await play({ env: FINANCE, hosting: { world } });
    const text = await asked(sandbox, '/billing usage');
    expect(text).toContain('21 that cost less are summed up as others');
    expect(text).toMatch(/21 others +\| 2,310/);
  });
});

describe('/billing transactions', () => {
  it('shows the newest first, adds them up, and goes on by a button', async () => {
    const sandbox = await together();
    const message = await answeredWith(sandbox, 'fin', '/billing transactions');
    const first = sandbox.slack.read(message);
    expect(first).toContain('20 transactions, newest first, in credits');
    expect(first).toMatch(/[\d,]+ before, [\d,]+ added, [\d,]+ used, 6,300 after\./);
    await sandbox.slack.person('fin').presses(message, 'Older');
    await sandbox.slack.until(() => sandbox.slack.read(message) !== first);
    const before = /([\d,]+) before/.exec(first)?.[1];
    expect(sandbox.slack.read(message)).toContain(`${before} after.`);
  });

  it('filters by type, instance and time', async () => {
    const sandbox = await together();
    const purchases = await asked(sandbox, '/billing transactions --type purchase');
    expect(purchases).toContain('+5,000');
    expect(purchases).not.toContain('daily charge');
    const ofOne = await asked(sandbox, '/billing transactions --instance web-1 --last 3d');
    expect(ofOne).toContain('Daily charge: web-1');
    expect(ofOne).not.toContain('db-1');
    expect(await asked(sandbox, '/billing transactions --last 0d')).toContain(
      'There are no such transactions',
    );
  });
});
