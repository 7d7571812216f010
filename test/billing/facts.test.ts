import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, type PlayOptions, play, readAll } from '../support/sandbox.ts';

const OPS = 'C0OPS000001';

const open = (options: PlayOptions = {}): Promise<Sandbox> =>
  play({ ...options, env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...options.env } });

const reads = (sandbox: Sandbox, text: string | RegExp): Promise<unknown> =>
  sandbox.slack.until(() =>
    readAll(sandbox).some((one) => (typeof text === 'string' ? one === text : text.test(one))),
  );

describe('what somebody sets of the money', () => {
  it.each([
    [['/billing alerts off'], '@fin turned the alerts off. Nobody will be warned of a low balance.'],
    [['/billing alerts off', '/billing alerts on'], '@fin turned the alerts on.'],
    [
      ['/billing alerts set warn 5d critical 2d'],
      '@fin changed the alerts. 🔔 I warn below 5 days and call it critical below 2 days.',
    ],
    [['/billing digest weekly mon 09:00'], /^🗞️ @fin set the digest: it comes here every Monday at 09:00/],
    [['/billing digest weekly mon 09:00', '/billing digest off'], '🗞️ @fin turned the digest off.'],
  ])('%j is one post in its channel', async (lines, said) => {
    const sandbox = await open();
    for (const line of lines) await answerTo(sandbox, 'fin', line);
    await reads(sandbox, said);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(lines.length);
  });

  it('is said where alerts go, and not where it was typed', async () => {
    const sandbox = await open();
    await sandbox.slack.person('fin').types('dm', '/billing alerts off');
    await reads(sandbox, /^@fin turned the alerts off/);
  });

  it('is said once, and not where nothing changed', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'fin', '/billing alerts off');
    await answerTo(sandbox, 'fin', '/billing alerts off');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it('is said to nobody else where alerts go to no channel', async () => {
    const sandbox = await open({ env: { BILLING_CHANNELS: '', LAMPLIGHTER_ADMINS: 'U0ADA000001' } });
    await answerTo(sandbox, 'admin', '/billing alerts set warn 5d');
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
  });

  it('is not said again in the channel that has the alerts already', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'fin', '/billing alerts here')).toMatch(
      /^Alerts go to this channel already\.\n/,
    );
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
  });

  it('is a channel that is only named, once it is confirmed', async () => {
    const sandbox = await open({ env: { BILLING_CHANNELS: `${OPS},C0RANDOM001` } });
    for (const word of ['in', 'to'])
      expect(await answerTo(sandbox, 'fin', `/billing alerts ${word} #random`)).toBe(
        'Should alerts go to #random? Everyone in it would see the figures. Nothing was changed.\n[ Send alerts to #random ] [ Cancel ]',
      );
    // Who types the id of a channel that they aren't in isn't told its name.
    expect(await answerTo(sandbox, 'fin', '/billing alerts in C0VAULT0001')).toContain(
      '[ Send alerts to that channel ]',
    );
    expect(await answerTo(sandbox, 'fin', '/billing alerts loud #random')).toMatch(/^Alerts loud #random: /);
  });
});
