import { describe, expect, it } from 'vitest';
import { examineOnce } from '../../src/app/doctor.ts';
import { loadSetups } from '../../src/app/load-adapter.ts';
import { examinedText } from '../../src/features/doctor/index.ts';
import { ProxyError } from '../../src/platform/http/connection-fault.ts';
import { createWayOut } from '../../src/platform/http/way-out.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { mailbox } from '../billing/outside/opened.ts';
import { type HttpProxy, startHttpProxy } from '../support/http-proxy.ts';
import { answerTo, play, type PlayOptions, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { LANTERN } from '../workspaces/scene.ts';
import { playTwoWorkspaces } from '../workspaces/two-workspaces.ts';

const SLACK = 'slack.example.test';
const HOSTING = 'hosting.example.test';

/** A sandbox without a bot yet, whose Slack and hosting service lead nowhere but through a proxy, and what a bot is started with. */
async function behindProxy(
  options: PlayOptions = {},
): Promise<{ sandbox: Sandbox; proxy: HttpProxy; env: Record<string, string> }> {
  const at = `http://${SLACK}`;
  const addresses = { api: at, hooks: at, files: at, sockets: `ws://${SLACK}` };
  const sandbox = await play({ ...options, bot: false, slack: { addresses } });
  const proxy = await startHttpProxy({
    routes: { [SLACK]: sandbox.slack.url, [HOSTING]: sandbox.env['HOSTING_API_URL'] ?? '' },
    credentials: 'lamplighter:hush-hush',
  });
  return { sandbox, proxy, env: { HTTP_PROXY: proxy.url, HOSTING_API_URL: `http://${HOSTING}` } };
}

/** What the doctor says of a bot that is to run. */
async function examined(sandbox: Sandbox, env: Record<string, string>): Promise<string> {
  const log = createLog('error', [], { write: () => undefined });
  return examinedText(await examineOnce(await loadSetups({ ...sandbox.env, ...env }), log));
}

/** The warnings of a bot that was started, as words. */
function warnings({ logs }: Sandbox): string[] {
  return logs
    .map(
      (line) => JSON.parse(line) as { readonly level: string; readonly check?: string; readonly msg: string },
    )
    .flatMap(({ level, check, msg }) => (level === 'warn' && check !== undefined ? [msg] : []));
}

describe('a host that NO_PROXY names', () => {
  it('is reached without the proxy, and the others through it', async () => {
    const { sandbox, proxy, env } = await behindProxy();
    const { HOSTING_API_URL: url = '' } = sandbox.env;
    await sandbox.startBot({ ...env, HOSTING_API_URL: url, NO_PROXY: 'example.com, 127.0.0.1' });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
    expect([...new Set(proxy.asked)]).toEqual([`${SLACK}:80`]);
  });
});

describe('mail', () => {
  it('goes through the proxy unless NO_PROXY names its server, and the doctor says where there is no way', async () => {
    const { sandbox, proxy, env } = await behindProxy();
    const { smtp, env: mail } = await mailbox();
    const given = { ...env, ...mail, BILLING_CHANNELS: 'C0OPS000001' };
    await sandbox.startBot(given);
    await answerTo(sandbox, 'admin', '/billing alerts test');
    await until(() => smtp.mails.length === 1);
    expect(proxy.asked).toContain(new URL(smtp.url).host);
    proxy.answers(403, '127.0.0.1');
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
      'The proxy gives no connection to the mail server at SMTP_URL',
    );
    await sandbox.stopBots();
    await sandbox.startBot({ ...given, NO_PROXY: '127.0.0.1' });
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
      'The mail server at SMTP_URL lets me in',
    );
    await answerTo(sandbox, 'admin', '/billing alerts test');
    await until(() => smtp.mails.length === 2);
  });
});

/** Whether each way leads through the proxy at `http`. */
async function waysBy(
  http: string,
  except: string,
  host: string,
  port: number,
): Promise<{ tunnel: boolean; calls: boolean }> {
  const wayOut = createWayOut({ http, except });
  const isProxied = (error: unknown): boolean =>
    error instanceof ProxyError || (error instanceof Error && isProxied(error.cause));
  const connections = wayOut.open();
  try {
    const tunnel = await wayOut.tunnelTo(host, port).catch((error: unknown) => error);
    const call = await connections
      .request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' })
      .catch((error: unknown) => error);
    return { tunnel: isProxied(tunnel), calls: isProxied(call) };
  } finally {
    await connections.destroy();
  }
}

describe('NO_PROXY is read for mail as for calls:', () => {
  it.each([
    ['', 'mail.example.test', 25, true],
    ['*', 'mail.example.test', 25, false],
    ['*, other.test', 'mail.example.test', 25, true],
    ['mail.example.test', 'mail.example.test', 25, false],
    ['MAIL.example.test', 'mail.Example.test', 25, false],
    ['example.test', 'mail.example.test', 25, false],
    ['.example.test', 'mail.example.test', 25, false],
    ['*.example.test', 'mail.example.test', 25, false],
    ['ample.test', 'mail.example.test', 25, true],
    ['mail.example.test:25', 'mail.example.test', 25, false],
    ['mail.example.test:26', 'mail.example.test', 25, true],
    ['other.test mail.example.test', 'mail.example.test', 25, false],
    ['other.test,, example.test', 'mail.example.test', 25, false],
    ['127.0.0.1', '127.0.0.1', 1, false],
    ['[::1]', '[::1]', 1, false],
  ])('%j, for %s:%i', async (except, host, port, isProxied) => {
    const proxy = await startHttpProxy({ routes: {} });
    proxy.answers(403);
    expect(await waysBy(proxy.url, except, host, port)).toEqual({ tunnel: isProxied, calls: isProxied });
  });
});

describe('a proxy that gives no connection', () => {
  it.each<[string, (proxy: HttpProxy) => unknown, RegExp]>([
    [
      'takes no password',
      (proxy) => proxy.answers(407),
      /the proxy 127\.0\.0\.1:\d+ doesn't take the user and the password, or wants some\. Put the right ones/,
    ],
    [
      'closes without a word',
      (proxy) => proxy.answers('closes'),
      /I go through the proxy 127\.0\.0\.1:\d+, and it closed the connection without an answer\. Check/,
    ],
    [
      'never answers',
      (proxy) => proxy.answers('hangs'),
      /I go through the proxy 127\.0\.0\.1:\d+, and nothing answers there\. Check its address/,
    ],
    [
      'is down',
      (proxy) => proxy.stop(),
      /I go through the proxy 127\.0\.0\.1:\d+, and nothing listens there\. Check the address/,
    ],
  ])(
    'because it %s is named at the start and by the doctor, without its password',
    async (_why, fail, words) => {
      // As it is shipped: longer than a proxy is waited for.
      const { sandbox, proxy, env } = await behindProxy({ timings: { apiTimeoutMs: 12_000 } });
      await fail(proxy);
      await sandbox.startBot(env);
      const started = warnings(sandbox).filter((line) => words.test(line));
      expect(started).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^can't reach Slack: /),
          expect.stringMatching(/^can't reach the hosting service: /),
        ]),
      );
      const lines = (await examined(sandbox, env)).split('\n').filter((line) => words.test(line));
      expect(lines).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^❌ Slack's token couldn't be checked: Slack can't be reached, because /),
          expect.stringMatching(/^❌ The hosting service can't be reached at HOSTING_API_URL: /),
        ]),
      );
      expect(`${sandbox.logs.join('')}${lines.join('')}`).not.toMatch(/hush/);
    },
  );
});

describe('a restart', () => {
  /** Has ana ask for one, and the proxy give no more connections to the service before it can leave. */
  const asksInVain = async (timings: PlayOptions['timings'] = {}): Promise<[Sandbox, HttpProxy]> => {
    const { sandbox, proxy, env } = await behindProxy({ timings });
    await sandbox.startBot(env);
    const posting = sandbox.slack.hold('chat.postMessage');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await posting.arrived;
    proxy.answers(502, HOSTING);
    posting.release();
    await until(() => proxy.asked.at(-1) === `${HOSTING}:80`);
    return [sandbox, proxy];
  };

  it('for which the proxy gives no connection was not sent, and says so', async () => {
    const [sandbox] = await asksInVain({ acceptWithinMs: 3_000 });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      'Could not restart web-1 (101): the hosting service could not be reached. Nothing was done; try again in a minute.',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('for which the proxy gives a connection only later is sent then, once', async () => {
    const [sandbox, proxy] = await asksInVain();
    proxy.answers('connects', HOSTING);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('whose connection the proxy cuts is unknown until the service shows it, and is not sent again', async () => {
    const { sandbox, proxy, env } = await behindProxy();
    await sandbox.startBot(env);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    proxy.answers(502, HOSTING);
    proxy.cut();
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes("I don't know yet whether it was done"));
    proxy.answers('connects', HOSTING);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      "Restarted web-1 (101): it went from running through restarting to running, though the service's answer was lost.",
    );
    expect(powerCalls(sandbox)).toBe(1);
  });
});

describe('a bot that several workspaces install', () => {
  it('takes its tokens from Slack through the proxy', async () => {
    const proxy = await startHttpProxy({ routes: {} });
    const { lantern, installs } = await playTwoWorkspaces({ env: { HTTP_PROXY: proxy.url } });
    proxy.answers(502);
    proxy.cut();
    expect((await installs(LANTERN.id)).status).toBeGreaterThanOrEqual(400);
    expect(lantern.oauth.tokensOf(LANTERN.id)).toEqual([]);
    proxy.answers('connects');
    expect((await installs(LANTERN.id)).status).toBe(200);
    expect(lantern.oauth.tokensOf(LANTERN.id)).toHaveLength(1);
  });
});
