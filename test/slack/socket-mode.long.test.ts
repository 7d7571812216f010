import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { instead } from '../support/instead.ts';
import {
  answeredWith,
  answerTo,
  play,
  type PlayOptions,
  powerCalls,
  readAll,
  ready,
  runToEnd,
  urlOf,
} from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A sandbox without a bot yet, and what starts one over Socket Mode. */
async function overSockets(
  options: PlayOptions = {},
): Promise<[Sandbox, (faultPoints?: FaultPoints) => Promise<unknown>]> {
  const sandbox = await play({ ...options, bot: false });
  return [
    sandbox,
    (faultPoints) => sandbox.startBot({ SLACK_APP_TOKEN: sandbox.slack.appToken }, faultPoints),
  ];
}

async function readiness(sandbox: Sandbox): Promise<{ status: number; slack: string | undefined }> {
  const response = await fetch(urlOf(sandbox, '/readyz'));
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, slack: checks['slack'] };
}

async function metric(sandbox: Sandbox, name: string): Promise<string | undefined> {
  const text = await (await fetch(urlOf(sandbox, '/metrics'))).text();
  return new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
}

/** The most and the fewest connections there were from now on. */
function countSockets({ slack }: Sandbox): { most: number; least: number } {
  const seen = { most: slack.socketCount, least: slack.socketCount };
  slack.watch(() => {
    seen.most = Math.max(seen.most, slack.socketCount);
    seen.least = Math.min(seen.least, slack.socketCount);
  });
  return seen;
}

describe('a bot in Socket Mode', () => {
  it('is ready while its connection is open, says that there is none, and counts', async () => {
    const [sandbox, startBot] = await overSockets();
    const { slack } = sandbox;
    const first = slack.hold('apps.connections.open');
    const started = startBot();
    await first.arrived;
    expect(await readiness(sandbox)).toEqual({ status: 503, slack: 'not_connected' });
    first.release();
    await started;
    expect(await readiness(sandbox)).toEqual({ status: 200, slack: 'ok' });
    expect(await metric(sandbox, 'lamplighter_slack_socket_open')).toBe('1');

    const second = slack.hold('apps.connections.open');
    slack.cutSockets();
    await second.arrived;
    expect(await readiness(sandbox)).toEqual({ status: 503, slack: 'not_connected' });
    expect(await metric(sandbox, 'lamplighter_slack_socket_open')).toBe('0');
    second.release();
    await ready(sandbox);
    expect(await metric(sandbox, 'lamplighter_slack_socket_connections_total')).toBe('2');
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('has its next connection open before the one closes that Slack warns of, and hears what comes meanwhile', async () => {
    const [sandbox, startBot] = await overSockets();
    await startBot();
    const { slack } = sandbox;
    const seen = countSockets(sandbox);
    const held = slack.hold('apps.connections.open');
    slack.disconnectSockets('warning');
    await held.arrived;
    const interaction = await slack.person('ana').types('#ops', '/instances restart web-1');
    expect(interaction.error).toBeUndefined();
    held.release();
    await slack.until(() => seen.most === 2 && slack.socketCount === 1);
    expect(seen.least).toBe(1);
    await slack.person('ana').mentions('#ops', 'restart web-2');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(2);
    expect(readAll(sandbox)).toHaveLength(4);
  });

  it('answers over the old connection what arrived there, before it closes it', async () => {
    const [sandbox, startBot] = await overSockets();
    const { slack } = sandbox;
    let arrived = (): void => undefined;
    let release = (): void => undefined;
    const isThere = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await startBot(
      instead('requests', 'accept', async (own, ...args) => {
        arrived();
        await gate;
        return (own as { accept(...given: unknown[]): unknown }).accept(...args);
      }),
    );
    const seen = countSockets(sandbox);
    const typing = slack.person('ana').types('#ops', '/instances restart web-1');
    await isThere;
    slack.disconnectSockets('warning');
    await slack.until(() => seen.most === 2);
    release();
    expect((await typing).error).toBeUndefined();
    await slack.until(() => slack.socketCount === 1);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('is there again where Slack closes the connection with its word', async () => {
    const [sandbox, startBot] = await overSockets();
    await startBot();
    const { slack } = sandbox;
    const held = slack.hold('apps.connections.open');
    slack.disconnectSockets('refresh_requested');
    await held.arrived;
    held.release();
    await slack.until(() => slack.socketCount === 1);
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('keeps its connection, and answers, however long what it shows and offers is', async () => {
    const names = Array.from(
      { length: 60 },
      (_, at) => `${'\u672c\u756a\u30b5\u30fc\u30d0'.repeat(12)}-${at}`,
    );
    const world = worldOf(names.map((name, at) => instance(10_000 + at, name, { dailyCredits: 60 })));
    const [sandbox, startBot] = await overSockets({ hosting: { world } });
    await startBot();
    const { slack } = sandbox;
    // What Slack has not taken once comes by another way.
    for (const line of [
      '/instances',
      '/instances',
      '/billing usage by instance',
      '/billing usage by instance',
    ])
      expect(await answerTo(sandbox, 'admin', line), line).toContain(names[0]!.slice(0, 20));
    const asked = await answeredWith(sandbox, 'ana', '/instances restart');
    const { options } = await slack.person('ana').searches(asked, 'Pick an instance to restart', '');
    expect(options.length).toBeGreaterThan(30);
    expect(options.length).toBeLessThan(80);
    expect(await metric(sandbox, 'lamplighter_slack_socket_connections_total')).toBe('1');
  });

  it('waits for a Slack that is only down', async () => {
    const [sandbox, startBot] = await overSockets();
    sandbox.slack.failNext('apps.connections.open', { status: 503 });
    sandbox.slack.dropNext('apps.connections.open');
    sandbox.slack.failNext('apps.connections.open', { error: 'internal_error' });
    await startBot();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('stops at once while it waits for Slack', async () => {
    const [sandbox, startBot] = await overSockets();
    const held = sandbox.slack.hold('apps.connections.open');
    const started = startBot();
    await held.arrived;
    const stopped = sandbox.stopBots();
    held.drop();
    await expect(started).rejects.toThrow('aborted');
    await stopped;
    expect(sandbox.slack.socketCount).toBe(0);
  });

  it.each(['token_revoked', 'invalid_auth', 'not_allowed_token_type', 'missing_scope'])(
    'does not start with an app token that Slack refuses: %s',
    async (code) => {
      const [sandbox, startBot] = await overSockets();
      sandbox.slack.failNext('apps.connections.open', { error: code });
      await expect(startBot()).rejects.toThrow(`Slack refuses SLACK_APP_TOKEN: ${code}`);
    },
  );

  it('lives on when its app token is revoked, says so, and connects once it works again', async () => {
    const [sandbox, startBot] = await overSockets({ isRefused: true });
    await startBot();
    const { slack } = sandbox;
    slack.revokeToken(slack.appToken);
    slack.cutSockets();
    await until(async () => (await readiness(sandbox)).slack === 'token_revoked');
    slack.restoreToken(slack.appToken);
    await ready(sandbox);
  });

  it('hears over it that Slack holds events back', async () => {
    const [sandbox, startBot] = await overSockets();
    await startBot();
    const payload = { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_518_467_820 };
    sandbox.slack.sendFrame(JSON.stringify({ type: 'events_api', envelope_id: 'one', payload }));
    await until(() => sandbox.logs.some((line) => line.includes('Slack holds events back')));
  });

  it('outlives frames that are none', async () => {
    const [sandbox, startBot] = await overSockets();
    await startBot();
    const frames = ['null', '7', '[]', '{', '{"type":"events_api"}', '{"type":"close"}', '{"type":"error"}'];
    for (const frame of frames) sandbox.slack.sendFrame(frame);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(await metric(sandbox, 'lamplighter_slack_socket_connections_total')).toBe('1');
    // Once for all of them: the next line is due in a minute.
    expect(sandbox.logs.filter((line) => line.includes('1 request could not be read'))).toHaveLength(1);
  });
});

describe.each(['sockets', 'HTTP'])('what the bot has no use for, over %s', (way) => {
  it('is acknowledged, so that nobody reads an error, and does nothing', async () => {
    const [sandbox, startBot] = await overSockets();
    await (way === 'HTTP' ? sandbox.startBot() : startBot());
    const ana = sandbox.slack.person('ana');
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const [card] = sandbox.slack.channel('#ops').messages;
    for (const interaction of [await ana.usesShortcut('restart'), await ana.usesShortcut('restart', card)]) {
      expect([interaction.error, interaction.status]).toEqual([undefined, 200]);
    }
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    const metrics = await (await fetch(urlOf(sandbox, '/metrics'))).text();
    expect(metrics).toContain('lamplighter_slack_requests_total{kind="unknown",result="dropped"} 2');
  });
});
