import { expect, it, onTestFinished } from 'vitest';
import { openSmtpDouble } from '../../sandbox/outside/smtp-double.ts';
import { createAuthority } from '../support/certifying.ts';
import { fileWith } from '../support/file-with.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startProcess } from '../support/process.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const HOSTING = 'api.hosting.example.test';
const MAIL = 'mail.example.test';
const SLACK = ['slack.com', 'hooks.slack.com', 'files.slack.com', 'wss-primary.slack.com'] as const;
const [API, HOOKS, FILES, SOCKETS] = SLACK;

// The authority that a process trusts is read at its start.
it.each([
  ['over HTTP', 'http', false],
  ['in Socket Mode', 'https', true],
] as const)(
  'a bot that reaches nothing but its proxy does %s all that it does without one, over %s to the proxy and showing who it is',
  async (_how, scheme, isSocket) => {
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
    const smtp = await openSmtpDouble();
    onTestFinished(() => smtp.close());
    const authority = createAuthority();
    const client = authority.issue({ host: 'lamplighter' });
    const proxy = await startHttpProxy({
      routes: {
        ...Object.fromEntries(SLACK.map((host) => [host, slack.url])),
        [HOSTING]: env['HOSTING_API_URL'] ?? '',
        [MAIL]: smtp.url,
      },
      credentials: 'lamplighter:pass word',
      scheme,
      tls: {
        certificate: authority.issue({ host: ['127.0.0.1', ...SLACK, HOSTING, MAIL].join(',') }),
        takesClientsOf: { [HOSTING]: authority.cert },
      },
    });
    const bot = await startProcess(sandbox, {
      env: {
        HOSTING_API_URL: `https://${HOSTING}`,
        HTTPS_PROXY: proxy.url,
        SMTP_URL: `smtps://${MAIL}:443`,
        BILLING_MAIL_TO: 'money@example.com',
        BILLING_MAIL_FROM: 'lamplighter@example.com',
        BILLING_CHANNELS: 'C0OPS000001',
        HOSTING_API_CLIENT_CERT_FILE: fileWith(client.cert),
        HOSTING_API_CLIENT_KEY_FILE: fileWith(client.key),
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

    await answerTo(sandbox, 'admin', '/billing alerts test');
    await until(() => smtp.mails.length === 1);

    // A socket whose way is cut is opened again by the same way.
    proxy.cut();
    if (isSocket) await slack.until(() => slack.socketCount === 0);
    if (isSocket) await slack.until(() => slack.socketCount === 1);
    await runToEnd(sandbox, 'ana', '/instances restart web-2');
    expect(powerCalls(sandbox, 'restart')).toBe(2);
    // Connections are kept: far fewer than there are calls.
    const toApi = proxy.asked.filter((asked) => asked.startsWith(API));
    expect(toApi.length).toBeLessThan(slack.calls.length / 2);

    const ways = [API, HOOKS, FILES, HOSTING, MAIL, ...(isSocket ? [SOCKETS] : [])];
    expect([...new Set(proxy.asked)].toSorted()).toEqual(ways.map((host) => `${host}:443`).toSorted());
    expect(bot.output()).not.toMatch(/pass%20word|pass word/);
  },
);
