import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { ENOUGH_CONFIG } from '../support/enough-config.ts';
import { linksOf } from '../support/links.ts';
import { answeredWith, botMessages, play, runToEnd } from '../support/sandbox.ts';
import { find, reads, setDays, watch } from './watching.ts';

const PAGE = 'https://console.example.com/billing?from=slack';
const env = { BILLING_TOPUP_URL: PAGE, LAMPLIGHTER_EVERYONE: 'admin' };
const TOP_UP = [['Top up', PAGE]];

describe('where the page is configured on which credit is bought', () => {
  it.each([
    '/billing top-up',
    '/billing topup',
    '/billing top up',
    '@lamplighter top up',
    '@lamplighter how do I add credit?',
    '@lamplighter top up 500 credits',
  ])('"%s" is answered with a button that opens it', async (line) => {
    const sandbox = await play({ env });
    const answer = await answeredWith(sandbox, 'ana', line);
    expect(sandbox.slack.read(answer)).toContain(
      "You add credit at the hosting service; I can't pay from here.",
    );
    expect(linksOf(answer)).toEqual(TOP_UP);
  });

  it('opens it from the balance', async () => {
    const sandbox = await play({ env });
    const answer = await answeredWith(sandbox, 'ana', '/billing');
    expect(sandbox.slack.read(answer)).toContain('[ Top up ↗ ] [ Usage ]');
    const buyTime = await answeredWith(sandbox, 'ana', '/billing buy-time');
    expect(sandbox.slack.read(buyTime)).toContain('[ Top up ↗ ] ⋯ [ Stop ');
  });

  it('opens it first of all from an alert, and from the message to those who are told directly', async () => {
    const sandbox = await watch({
      env: { ...env, BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 150, stillOnItAfterMs: 50 },
    });
    setDays(sandbox, 1);
    await reads(sandbox, /The balance is critical/);
    const card = sandbox.slack.read(find(sandbox, /The balance is critical/));
    expect(card).toMatch(
      /\[ Top up ↗ \] \[ I'm on it \] ⋯ \[ Buy time \| Snooze .* \| What it is spent on \| Tell the story \]/,
    );
    const fin = sandbox.slack.person('fin');
    await sandbox.slack.until(() => fin.dms[0]);
    expect(linksOf(fin.dms[0])).toEqual(TOP_UP);
    await fin.presses(find(sandbox, /The balance is critical/), "I'm on it");
    await reads(sandbox, /@fin, are you still on the low balance/);
    expect(linksOf(find(sandbox, /are you still on/))).toEqual(TOP_UP);
  });

  it('opens it where a stop saves nothing', async () => {
    const world = worldOf([instance(1, 'web-1', { status: 'stopped' })], { balanceCredits: 0 });
    const sandbox = await play({ env, hosting: { world } });
    expect(linksOf(await answeredWith(sandbox, 'ana', '/billing buy-time'))).toEqual(TOP_UP);
  });

  it('opens it from what is refused or failed because the credit ran out, and from the instance', async () => {
    const paused = instance(1, 'web-1', { status: 'paused' });
    const world = worldOf([paused, instance(2, 'web-2')], { balanceCredits: 0 });
    const sandbox = await play({ env, hosting: { world } });
    const refused = await answeredWith(sandbox, 'ana', '/instances start web-1');
    expect(sandbox.slack.read(refused)).toContain('because the credit ran out. Top up, then try again.');
    expect(linksOf(refused)).toEqual(TOP_UP);
    expect(linksOf(await answeredWith(sandbox, 'ana', '/instances show web-1'))).toEqual(TOP_UP);
    sandbox.hosting.failNext({ method: 'POST' }, 402);
    await runToEnd(sandbox, 'ana', '/instances restart web-2');
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!)).toContain('there is not enough credit. Top up, then try again.');
    expect(linksOf(card)).toEqual(TOP_UP);
  });
});

it('says who can set it where none is configured, and nothing of it elsewhere', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  const answer = await answeredWith(sandbox, 'ana', '/billing top up');
  expect(sandbox.slack.read(answer)).toContain(
    'You add credit at the hosting service. I have no link to that page: the person who runs the bot can set BILLING_TOPUP_URL.',
  );
  expect(sandbox.slack.read(await answeredWith(sandbox, 'ana', '/billing'))).not.toContain('Top up');
});

it.each([
  ['http://c.example.com/pay', 'must be an https URL'],
  ['https://me:secret@c.example.com/pay', 'must have no user and no password in it'],
])('BILLING_TOPUP_URL=%s is refused: %s', (value, fault) => {
  expect(() => loadConfig({ ...ENOUGH_CONFIG, BILLING_TOPUP_URL: value })).toThrow(
    `configuration: BILLING_TOPUP_URL ${fault}`,
  );
});
