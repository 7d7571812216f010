import { describe, expect, it } from 'vitest';
import { answerTo, play, privateTexts, readAll } from '../support/sandbox.ts';
import { dmsOf, OPS, reads, setDays, watch } from '../billing/watching.ts';
import { until } from '../support/until.ts';

const ADA = 'U0ADA000001';
const BOB = 'U0BOB000001';

describe('a message to one person who can not be reached has a next one:', () => {
  it.each([
    'user_disabled',
    'account_inactive',
    'user_not_found',
    'cannot_dm_bot',
    'restricted_action',
    'no_such_code_today',
  ])('a critical balance, where Slack says %s of the first admin', async (error) => {
    const sandbox = await watch({
      isRefused: true,
      env: { BILLING_CHANNELS: '', LAMPLIGHTER_ADMINS: `${ADA},${BOB}` },
    });
    const { slack } = sandbox;
    for (let times = 0; times < 20; times++)
      slack.failNext(({ method, args }) => method === 'conversations.open' && args['users'] === ADA, {
        error,
      });
    setDays(sandbox, 1);
    await slack.until(() => dmsOf(sandbox, 'bob').some((text) => text.includes('critical')));
    expect(dmsOf(sandbox, 'admin')).toEqual([]);
  });

  it.each(['messages_tab_disabled', 'user_disabled', 'no_such_code_today'])(
    'a critical balance, where the first admin can be written to and takes nothing: %s',
    async (error) => {
      const sandbox = await watch({
        isRefused: true,
        env: { BILLING_CHANNELS: '', LAMPLIGHTER_ADMINS: `${ADA},${BOB}` },
      });
      const { slack } = sandbox;
      const theirs = slack.person('admin').dm.id;
      for (let times = 0; times < 20; times++)
        slack.failNext(({ method, args }) => method === 'chat.postMessage' && args['channel'] === theirs, {
          error,
        });
      setDays(sandbox, 1);
      await slack.until(() => dmsOf(sandbox, 'bob').some((text) => text.includes('critical')));
    },
  );

  it('an escalation, where nobody of those who are named is left: everybody where the alert stands', async () => {
    const sandbox = await watch({
      isRefused: true,
      env: { LAMPLIGHTER_ADMINS: ADA, BILLING_ESCALATE_TO: BOB },
      timings: { escalateAfterMs: 150 },
    });
    const { slack } = sandbox;
    for (const who of [ADA, BOB])
      for (let times = 0; times < 20; times++)
        slack.failNext(({ method, args }) => method === 'conversations.open' && args['users'] === who, {
          error: 'user_disabled',
        });
    setDays(sandbox, 1);
    await reads(sandbox, /Nobody has said|nobody is on it|Unacknowledged/i, { count: 2 });
  });

  it('the last of all: the log at error, and a metric', async () => {
    const sandbox = await watch({
      isRefused: true,
      env: { BILLING_CHANNELS: '', LAMPLIGHTER_ADMINS: `${ADA},${BOB}` },
    });
    const { slack } = sandbox;
    for (let times = 0; times < 40; times++) slack.failNext('conversations.open', { error: 'user_disabled' });
    setDays(sandbox, 1);
    await until(() => sandbox.logs.some((line) => /"level":"error".*reached nobody/.test(line)));
  });

  it('what somebody who joined a request is told of its end, where they have left', async () => {
    const sandbox = await play({
      isRefused: true,
      env: { LAMPLIGHTER_ADMINS: ADA, LAMPLIGHTER_APPROVE: 'web-*', LAMPLIGHTER_EVERYONE: 'operator' },
      timings: { approveWithinMs: 2_000, acceptWithinMs: 5_000 },
    });
    const { slack } = sandbox;
    const fin = slack.person('fin').id;
    for (let times = 0; times < 20; times++)
      slack.failNext(({ method, args }) => method === 'conversations.open' && args['users'] === fin, {
        error: 'user_disabled',
      });
    await answerTo(sandbox, 'ana', '/instances restart web-1');
    await answerTo(sandbox, 'fin', '/instances restart web-1');
    await slack.until(() => dmsOf(sandbox, 'admin').some((text) => text.includes("I can't reach @fin")));
  });
});

describe('a channel that people of another company read', () => {
  it.each([
    ['alerts', '/billing alerts here'],
    ['the summary of the week', '/billing digest weekly mon 08:00'],
    ['a watch', '/instances watch name:web-*'],
  ])('is refused for %s at once', async (_name, line) => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator', LAMPLIGHTER_ADMINS: ADA } });
    const { slack } = sandbox;
    const interaction = await slack.person('admin').types('#shared', line);
    const said = await slack.until(() => interaction.ephemeral[0]);
    expect(slack.read(said)).toContain('People from another company read #shared');
    expect(readAll(sandbox, '#shared')).toEqual([]);
  });

  it('is refused also where it was shared after it was chosen', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_ADMINS: ADA } });
    const { slack } = sandbox;
    const first = await answerTo(sandbox, 'admin', '/billing alerts here');
    expect(first).toContain('Alerts go to this channel now');
    slack.failNext('conversations.info', {
      body: { ok: true, channel: { id: OPS, is_member: true, is_archived: null, is_ext_shared: true } },
    });
    expect(await answerTo(sandbox, 'admin', '/billing alerts here')).toContain('another company');
    expect(privateTexts(sandbox, 'admin').length).toBe(2);
  });
});
