import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { asksThem, dmWith, hears, readDms } from '../support/asking.ts';
import { answerTo, deleteCalls, play, powerCalls, readAll } from '../support/sandbox.ts';

const GRANT = '/lamplighter access grant';

/** Prod and staging, where nobody holds a role that @admin hasn't given. */
function open(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  return play({
    hosting: {
      world: worldOf([
        instance(101, 'staging-1'),
        instance(102, 'staging-2'),
        instance(201, 'prod-1'),
        instance(202, 'prod-secret-2'),
        instance(301, '101'),
      ]),
    },
    env: { LAMPLIGHTER_EVERYONE: 'none', ...env },
  });
}

/** Whether a person holds any role that reaches production, everywhere or for good. */
async function holdsOnly(sandbox: Sandbox, who: string, held: string): Promise<void> {
  const roles = (await answerTo(sandbox, 'admin', '/lamplighter access')).split('\n');
  expect(roles.filter((line) => line.includes(`@${who}:`)).map((line) => line.replace(/^\W*/u, ''))).toEqual(
    held === '' ? [] : [expect.stringContaining(held)],
  );
}

/** What an admin of staging-* tries in order to get beyond it. */
const BEYOND_INSTANCES = [
  `${GRANT} admin @ana`,
  `${GRANT} admin @ana on *`,
  `${GRANT} admin @ana on **`,
  `${GRANT} admin @ana on name:*`,
  `${GRANT} admin @ana on staging*`,
  `${GRANT} admin @ana on STAGING-*,prod-1`,
  `${GRANT} admin @ana on *-1`,
  `${GRANT} admin @ana on prod-1`,
  `${GRANT} admin @ana on 201`,
  `${GRANT} admin @ana on 101`,
  `${GRANT} admin @ana on staging-*,*`,
  `${GRANT} viewer @ana`,
  `${GRANT} viewer @ana in #ops`,
  `${GRANT} viewer @ana for 5m`,
  `${GRANT} admin @oncall`,
  `${GRANT} admin @ana @bob on prod-*`,
  '/lamplighter freeze "mine"',
  '/lamplighter freeze on * "mine"',
  '/lamplighter freeze on prod-*,staging-* for 1h "mine"',
  '/lamplighter thaw on prod-*',
  '/lamplighter access revoke finance @fin',
  '/lamplighter access revoke operator @bob on prod-*',
  '/lamplighter doctor',
  '/billing',
  '/billing transactions',
  '/billing alerts',
  '/billing alerts set warn 9d',
  '/billing digest weekly mon 09:00',
  '/instances delete prod-1',
  '/instances delete PROD-1',
  '/instances delete 201',
  '/instances restart prod-1',
  '/instances restart prod-1 (201)',
  '/instances restart 202',
  '/instances stop prod-1 prod-secret-2',
  '/instances stop name:prod-*',
  '/instances stop -name:staging-*',
  '/instances show prod-1',
  '/instances show prod',
  '/instances history prod-1',
  '/instances history 201',
  '/instances watch prod-1',
  '/instances schedule prod-1 stop at 20:00 daily',
  '/addons prod-1',
  '/addons add llm prod-1',
  '/lamplighter can restart prod-1',
  '/lamplighter can restart 201',
];

describe('an admin narrowed to some instances', () => {
  it('gets beyond them by none of these words, reads no name of the others, and is told how far the role reaches', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} finance @fin`);
    await answerTo(sandbox, 'admin', `${GRANT} operator @bob on prod-*`);
    await answerTo(sandbox, 'admin', '/lamplighter freeze on prod-* "theirs"');
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on staging-*`);
    for (const line of BEYOND_INSTANCES) {
      const text = await hears(sandbox, 'ana', line);
      const typed = [...line.split(/[\s,]+/), ...line.split(/\s+/)];
      for (const name of ['prod-1', 'prod-secret-2'])
        if (!typed.includes(name)) expect(text, line).not.toContain(name);
      expect(text, line).not.toMatch(/🧊 @ana|is an? \w+ .*now\.|credits left|from now on/);
      expect(text, line).toMatch(/@admin can help|No instance|only/);
    }
    await sandbox.settled();
    expect(powerCalls(sandbox) + deleteCalls(sandbox)).toBe(0);
    await holdsOnly(sandbox, 'ana', 'admin on staging-*, by @admin');
    await holdsOnly(sandbox, 'fin', 'finance, by @admin');
    await holdsOnly(sandbox, 'oncall', '');
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toContain('@admin froze prod-*');
    expect(await answerTo(sandbox, 'ana', `${GRANT} admin @ana`)).toContain(
      'Your role lets you say who may do what only on staging-*, so nothing was changed. Ask for less, as far as your role reaches. @admin can help.',
    );
    expect(await answerTo(sandbox, 'ana', '/billing')).toContain(
      "Your admin role on staging-* is for some instances alone, so you can't see what is spent, and on what: that is about all of them. @admin can help.",
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart prod-1')).toContain(
      'Your role covers no instance "prod-1", so nothing was done. @admin can help.',
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart prod-9')).toContain(
      'Your role covers no instance "prod-9", so nothing was done. @admin can help.',
    );
  });

  it('gives, freezes, audits and counts within them', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on staging-*`);
    await answerTo(sandbox, 'admin', `${GRANT} operator @bob on prod-*`);
    expect(await answerTo(sandbox, 'ana', `${GRANT} operator @fin on staging-1`)).toContain(
      '@fin is an operator on name:staging-1 now.',
    );
    // Called like an id of theirs, and not that one: the role is for a name.
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze on staging-2 "mine"')).toContain('🧊 Frozen.');
    await sandbox.slack.person('fin').types('#ops', '/instances restart staging-1');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    const roles = await answerTo(sandbox, 'ana', '/lamplighter access');
    expect(roles).toContain('@fin: operator on name:staging-1, by @ana.');
    expect(roles).not.toContain('prod');
    const audit = await answerTo(sandbox, 'ana', '/lamplighter audit');
    expect(audit).toContain('restart staging-1');
    expect(audit).not.toMatch(/prod|grant/);
    const costs = await answerTo(sandbox, 'ana', '/billing usage');
    expect(costs).toContain('staging-1');
    expect(costs).not.toContain('prod');
    expect(await answerTo(sandbox, 'ana', '/lamplighter access revoke operator @fin on staging-1')).toContain(
      '@fin is no longer an operator',
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter thaw')).toContain('Thawed.');
  });
});

describe('an admin who is narrowed after somebody asked them', () => {
  it('allows nothing and refuses nothing beyond it by the buttons that they have', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana`);
    await asksThem(sandbox, 'fin', '/instances restart prod-1', 'Restart prod-1: You need');
    await asksThem(sandbox, 'fin', '/instances stop staging-1', 'Stop staging-1: You need');
    const prod = await dmWith(sandbox, 'ana', 'asks to restart prod-1');
    const staging = await dmWith(sandbox, 'ana', 'asks to stop staging-1');
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on staging-*`);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke admin @ana');
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on name:staging-*`);
    for (const label of ['Allow once', 'Allow for 8 h', 'No']) await slack.person('ana').presses(prod, label);
    await slack.until(() => readDms(sandbox, 'ana').split('so nothing was changed').length === 4);
    expect(readDms(sandbox, 'fin')).not.toMatch(/allowed|said no/);
    await slack.person('ana').presses(staging, 'Allow for 8 h');
    await dmWith(sandbox, 'fin', '@ana allowed you to stop staging-1');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('an admin narrowed to a time', () => {
  it('gives nothing that lasts longer, and what has no end ends with theirs', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} operator @bob`);
    await answerTo(sandbox, 'admin', '/lamplighter freeze on prod-* "theirs"');
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana for 30m`);
    for (const line of [
      `${GRANT} admin @ana for 31m`,
      `${GRANT} admin @fin for 30d`,
      '/lamplighter freeze for 2h "mine"',
      '/lamplighter thaw',
      '/lamplighter thaw on prod-*',
      '/lamplighter access revoke operator @bob',
      // It would take the place of one without an end.
      `${GRANT} operator @bob`,
      `${GRANT} operator @bob for 5m`,
    ])
      expect(await hears(sandbox, 'ana', line), line).toContain('only until');
    const given = await answerTo(sandbox, 'ana', `${GRANT} admin @fin`);
    expect(given).toMatch(/@fin is an admin until .* now\./);
    expect(given).toContain('It ends when your own role does.');
    expect(await answerTo(sandbox, 'fin', `${GRANT} admin @fin`)).toMatch(
      /@fin already has this role: admin until .*/,
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze "mine"')).toContain('Frozen.');
    await sandbox.slack.until(() =>
      readAll(sandbox).some((text) => /🧊 @ana froze everything until (?!an admin)/.test(text)),
    );
    await holdsOnly(sandbox, 'bob', 'operator, by @admin');
  });
});

describe('an admin narrowed to a channel', () => {
  it('gives roles for that channel alone, and none elsewhere', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} operator @bob`);
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana in #ops`);
    for (const line of [
      `${GRANT} admin @ana`,
      `${GRANT} admin @ana in #random`,
      `${GRANT} admin @ana in #ops,#random`,
      `${GRANT} viewer @ana on staging-*`,
      '/lamplighter access revoke operator @bob',
    ])
      expect(await hears(sandbox, 'ana', line), line).toContain('only in #ops');
    expect(await answerTo(sandbox, 'ana', `${GRANT} viewer @fin in #ops`)).toContain(
      '@fin is a viewer in #ops',
    );
    expect(await hears(sandbox, 'ana', `${GRANT} viewer @fin in #ops`, '#random')).toContain(
      "doesn't count in this channel",
    );
  });

  it('gets no further by two roles of which each is narrow in another way', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana in #ops`);
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on staging-*`);
    await answerTo(sandbox, 'admin', `${GRANT} operator @ana on prod-*`);
    for (const line of [
      `${GRANT} admin @ana`,
      `${GRANT} admin @ana on staging-*,prod-*`,
      `${GRANT} admin @ana in #random`,
      `${GRANT} viewer @ana on prod-1`,
    ])
      expect(await hears(sandbox, 'ana', line), line).toContain('so nothing was changed');
    expect(await answerTo(sandbox, 'ana', `${GRANT} viewer @fin on prod-1 in #ops`)).toContain(
      'is a viewer on',
    );
    expect(await answerTo(sandbox, 'ana', `${GRANT} viewer @fin on staging-*`)).toContain('is a viewer on');
  });
});
