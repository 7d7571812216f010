import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isResponseUrl, respond } from '../../src/platform/slack/response-url.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { connections } from '../support/connections.ts';
import { openServer } from '../hosting/calling.ts';
import { PURE_RUNS } from '../support/runs.ts';

const SLACK = 'https://slack.com/api/';

describe('with the real Slack, an answer goes to', () => {
  test.each([
    'https://hooks.slack.com/commands/T1/2/abc',
    'https://hooks.slack.com:443/actions/T1/2/abc',
    'https://HOOKS.slack.com/x',
    'https://hooks.slack-gov.com/commands/T1/2/abc',
  ])('%s', (url) => expect(isResponseUrl(url, SLACK)).toBe(true));
});

describe('with the real Slack, no answer ever goes to', () => {
  test.each([
    'http://hooks.slack.com/commands/x',
    'https://hooks.slack.com.evil.test/x',
    'https://evil.test/hooks.slack.com',
    'https://evilhooks.slack.com/x',
    'https://slack.com/x',
    'https://hooks.slack.com@evil.test/x',
    'https://user:pass@hooks.slack.com/x',
    'https://hooks.slack.com:8443/x',
    'https://hooks.slack.com./x',
    'https://evil.test\\@hooks.slack.com/x',
    'https://evil.test#@hooks.slack.com/',
    '//hooks.slack.com/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1:3000/x',
    'https://127.0.0.1/x',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'hooks.slack.com/x',
    '',
  ])('%s', (url) => {
    expect(isResponseUrl(url, SLACK)).toBe(false);
    expect(isResponseUrl(url, 'https://ws.slack.com/api/')).toBe(false);
  });
});

describe('with a sandbox', () => {
  test.each([
    ['http://127.0.0.1:4000/response/1', 'http://127.0.0.1:3000/api/', true],
    ['http://localhost:4000/response/1', 'http://127.0.0.1:3000/api/', true],
    ['http://sandbox.test/response/1', 'http://sandbox.test/api/', true],
    ['https://127.0.0.1:4000/response/1', 'http://127.0.0.1:3000/api/', false],
    ['http://192.168.0.7/response/1', 'http://127.0.0.1:3000/api/', false],
    ['http://other.test/response/1', 'http://sandbox.test/api/', false],
    ['http://sandbox.test/response/1', 'not a url', false],
    ['http://u@127.0.0.1/', 'http://127.0.0.1/api/', false],
  ])('%s beside %s: %s', (url, api, allowed) => expect(isResponseUrl(url, api)).toBe(allowed));
});

test('whatever URL comes, one that is allowed is of Slack\u2019s own two hosts over https', () => {
  const url = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc
      .tuple(
        fc.constantFrom('https://', 'http://', '//', 'https:', 'https://a@', 'https:\\\\'),
        fc.constantFrom('hooks.slack.com', 'hooks.slack-gov.com', 'slack.com', 'evil.test', '127.0.0.1'),
        fc.string({
          unit: fc.constantFrom('/', '\\', '@', '.', '#', '?', ':', '8', 'evil.test', '%2f', '\t', '\n'),
        }),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(url, (text) => {
      if (!isResponseUrl(text, SLACK)) return true;
      const parsed = new URL(text);
      return /^https:\/\/hooks\.slack(-gov)?\.com$/.test(parsed.origin) && parsed.username === '';
    }),
    { numRuns: PURE_RUNS },
  );
});

describe('an answer', () => {
  const message = { lines: [say`Hello`] };
  test.each([
    [200, undefined],
    [404, 'response_url_404'],
    [302, 'response_url_302'],
    [500, 'response_url_500'],
  ])('that Slack takes with %i ends in %s', async (status, code) => {
    const { url, seen } = await openServer((_request, response) =>
      response.writeHead(status, { location: '/x' }).end(),
    );
    const ended: unknown = await respond(`${url}/1`, message, {
      replaces: false,
      timeoutMs: 2_000,
      connections,
    }).catch((error: unknown) => error);
    if (code === undefined) expect(ended).toBeUndefined();
    else expect(ended).toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  test('that nobody hears in time may have been shown', async () => {
    const { url } = await openServer(() => undefined);
    await expect(
      respond(url, message, { replaces: false, timeoutMs: 50, connections }),
    ).rejects.toMatchObject({
      outcome: 'unknown',
    });
    await expect(
      respond(url, message, { replaces: false, timeoutMs: 50, connections }),
    ).rejects.toBeInstanceOf(SlackError);
  });

  test.each([
    [message, true, { response_type: 'ephemeral', replace_original: true, text: 'Hello' }],
    [message, false, { response_type: 'ephemeral', replace_original: false, text: 'Hello' }],
  ])(
    'is for the person alone, in place of the message that was pressed or beside it',
    async (said, replaces, body) => {
      let heard = '';
      const { url } = await openServer((request, response) => {
        request.on('data', (chunk: Buffer) => {
          heard += chunk.toString();
        });
        request.on('end', () => response.end('ok'));
      });
      await respond(url, said, { replaces, timeoutMs: 2_000, connections });
      // Nothing in it becomes a mention or a link by itself.
      expect(JSON.parse(heard)).toMatchObject({ ...body, parse: 'none', link_names: false });
    },
  );
});
