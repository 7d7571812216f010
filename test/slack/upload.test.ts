import { Readable } from 'node:stream';
import { expect, onTestFinished, test, describe } from 'vitest';
import { createSlackDouble } from '../../sandbox/slack/index.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { createUploads, isUploadUrl } from '../../src/platform/slack/upload.ts';
import { connections, webClientOf } from '../support/connections.ts';
import { openServer } from '../hosting/calling.ts';

const SLACK = 'https://slack.com/api/';

describe('with the real Slack, a file', () => {
  test.each([
    'https://files.slack.com/upload/v1/abc',
    'https://FILES.slack.com:443/upload/v1/abc',
    'https://files.slack-gov.com/upload/v1/abc',
  ])('may go to %s', (url) => expect(isUploadUrl(url, SLACK)).toBe(true));

  test.each([
    'http://files.slack.com/x',
    'https://files.slack.com:8443/x',
    'https://files.slack.com./x',
    'https://files.slack.com.evil.test/x',
    'https://evilslack.com/x',
    'https://files.slack.com@evil.test/x',
    'https://user:pass@files.slack.com/x',
    'https://evil.test\\@files.slack.com/x',
    'https://127.0.0.1/x',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    '//files.slack.com/x',
    '',
  ])('never goes to %j', (url) => expect(isUploadUrl(url, SLACK)).toBe(false));
});

test.each([
  ['http://127.0.0.1:3000/upload/1', 'http://127.0.0.1:3000/api/', true],
  ['http://127.0.0.1:4000/upload/1', 'http://127.0.0.1:3000/api/', false],
  ['http://localhost:3000/upload/1', 'http://127.0.0.1:3000/api/', false],
  ['https://127.0.0.1:3000/upload/1', 'http://127.0.0.1:3000/api/', false],
  ['ftp://sandbox.test/upload/1', 'ftp://sandbox.test/api/', false],
  ['http://sandbox.test/upload/1', 'not a url', false],
])('with a sandbox, %s beside %s: %s', (url, api, allowed) => {
  expect(isUploadUrl(url, api)).toBe(allowed);
});

const file = { name: 'a.csv', lengthBytes: 3, read: () => Readable.from([Buffer.from('a\r\n')]) };
const uploadsAt = (apiUrl: string, token = 'xoxb-sandbox-bot-token') =>
  createUploads(webClientOf(apiUrl, 700, token), { apiUrl, timeoutMs: 700, connections });
const refusalOf = async (sending: Promise<unknown>): Promise<[string, string]> => {
  const error: unknown = await sending.catch((one: unknown) => one);
  if (!(error instanceof SlackError)) throw new Error(`no SlackError: ${String(error)}`);
  return [error.code, error.outcome];
};

/** A Slack that announces this URL, or one of its own, and answers an upload with this. */
async function openSlack(url: string | undefined, status: number, headers: Record<string, string> = {}) {
  const server = await openServer((request, response) => {
    request.resume();
    if (request.url?.startsWith('/api/') === true) {
      const answer = { ok: true, upload_url: url ?? `${server.url}/upload/1`, file_id: 'F01', files: [] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } else response.writeHead(status, headers).end('OK');
  });
  return server;
}

test('a file goes out without the token, and what went is what was to go', async () => {
  const slack = createSlackDouble();
  onTestFinished(() => slack.stop());
  const { apiUrl } = await slack.start();
  await uploadsAt(apiUrl).send(slack.channel('#ops').id, file);
  expect(slack.calls.find(({ method }) => method === 'upload')?.args).toEqual({ bytes: 3 });
  expect(slack.channel('#ops').last.files[0]?.bytes.toString()).toBe('a\r\n');
});

test('a long file arrives whole, piece by piece', async () => {
  const slack = createSlackDouble();
  onTestFinished(() => slack.stop());
  const { apiUrl } = await slack.start();
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const read = (): Readable => Readable.from(Array.from({ length: 160 }, () => chunk));
  const ops = slack.channel('#ops');
  await uploadsAt(apiUrl).send(ops.id, { name: 'long.csv', lengthBytes: 160 * chunk.length, read });
  expect(ops.last.files[0]?.bytes.length).toBe(160 * chunk.length);
});

test('an upload URL on a foreign host gets nothing', async () => {
  const foreign = await openServer((_request, response) => response.end());
  const slack = await openSlack(`${foreign.url}/upload/1`, 200);
  expect(await refusalOf(uploadsAt(`${slack.url}/api/`).send('D1', file))).toEqual([
    'foreign_upload_url',
    'not-done',
  ]);
  expect(foreign.seen).toEqual([]);
});

test('a redirect is not followed, and the file counts as not sent', async () => {
  const foreign = await openServer((_request, response) => response.end());
  const slack = await openSlack(undefined, 307, { location: `${foreign.url}/` });
  expect(await refusalOf(uploadsAt(`${slack.url}/api/`).send('D1', file))).toEqual([
    'upload_307',
    'not-done',
  ]);
  expect(foreign.seen).toEqual([]);
  expect(slack.seen.map(({ url }) => url)).toEqual(['/api/files.getUploadURLExternal', '/upload/1']);
});

test('an answer that does not name the file leaves it unknown whether it arrived', async () => {
  const slack = await openSlack(undefined, 200);
  expect(await refusalOf(uploadsAt(`${slack.url}/api/`).send('D1', file))).toEqual(['unreadable', 'unknown']);
});

test('a file that breaks off while it is read is not sent, and ends no process', async () => {
  const slack = await openSlack(undefined, 200);
  const broken = {
    ...file,
    read: () =>
      new Readable({
        read: (): never => {
          throw new Error('disk');
        },
      }),
  };
  expect(await refusalOf(uploadsAt(`${slack.url}/api/`).send('D1', broken))).toEqual([
    'upload_unreachable',
    'not-done',
  ]);
});
