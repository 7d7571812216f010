import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../support/certifying.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startProcess } from '../support/process.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

const HOSTING = 'api.hosting.example.test';
const SLACK = ['slack.com', 'hooks.slack.com', 'files.slack.com', 'wss-primary.slack.com'] as const;
const [API, HOOKS, FILES, SOCKETS] = SLACK;

/** A folder for one file, which is gone after the test; gives the file's path. */
function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file.pem');
  writeFileSync(path, content);
  return path;
}

// The authority that a process trusts is read at its start.
it.each([
  ['over HTTP', false],
  ['in Socket Mode', true],
])(
  'a bot that reaches nothing but its proxy does %s all that it does without one',
  async (_how, isSocket) => {
    const sandbox = await play({
      bot: false,
      slack: {
        addresses: {
          api: `https://${API}`,
          hooks: `https://${HOOKS}`,
          files: `https://${FILES}`,
          sockets: `wss://${SOCKETS}`,
        },
      },
    });
    const { slack, env } = sandbox;
    const authority = createAuthority();
    const proxy = await startHttpProxy({
      routes: {
        ...Object.fromEntries(SLACK.map((host) => [host, slack.url])),
        [HOSTING]: env['HOSTING_API_URL'] ?? '',
      },
      credentials: 'lamplighter:pass word',
      tls: { certificate: authority.issue({ host: [...SLACK, HOSTING].join(',') }) },
    });
    const bot = await startProcess(sandbox, {
      env: {
        HOSTING_API_URL: `https://${HOSTING}`,
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: fileWith(authority.cert),
        ...(isSocket ? { SLACK_APP_TOKEN: slack.appToken } : {}),
      },
      listens: !isSocket,
    });

    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain('web-1');
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit --csv')).toMatch(
      /I sent you audit-[\d-]+\.csv/,
    );

    const ways = [API, HOOKS, FILES, HOSTING, ...(isSocket ? [SOCKETS] : [])];
    expect([...new Set(proxy.asked)].toSorted()).toEqual(ways.map((host) => `${host}:443`).toSorted());
    expect(bot.output()).not.toMatch(/pass%20word|pass word/);
  },
);
