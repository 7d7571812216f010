import { Readable } from 'node:stream';
import { WebAPIRateLimitedError } from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pauseMsOf, slackErrorOf, tooManyRequests } from '../../src/platform/slack/errors.ts';
import { createResponder } from '../../src/platform/slack/responder.ts';
import { createUploads } from '../../src/platform/slack/upload.ts';
import { respond } from '../../src/platform/slack/response-url.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { createPeople } from '../../src/platform/slack/people.ts';
import { openServer } from '../hosting/calling.ts';
import { connections, webClientOf } from '../support/connections.ts';
import { play, readAll } from '../support/sandbox.ts';

const SECOND = 1_000;

describe('Slack that says 429', () => {
  it('with a Retry-After of 0 gets no more than a post a second, and the card is there in the end', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    for (let times = 0; times < 3; times++) slack.rateLimitNext('chat.postMessage', { retryAfter: 0 });
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
    const refusedAt = slack.calls
      .filter(({ method, error }) => method === 'chat.postMessage' && error === 'ratelimited')
      .map(({ at }) => at);
    expect(refusedAt).toHaveLength(3);
    const pauses = refusedAt.slice(1).map((at, index) => at - (refusedAt[index] ?? 0));
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(SECOND);
  });

  it('without a Retry-After, or with one that is no number, is known for a 429 with a second to wait', async () => {
    for (const headers of [{}, { 'retry-after': 'soon' }]) {
      const { url } = await openServer((_request, response) => response.writeHead(429, headers).end());
      const web = webClientOf(`${url}/api/`);
      const fault = slackErrorOf(await web.auth.test().catch((error: unknown) => error));
      expect(fault).toMatchObject({ code: 'ratelimited', outcome: 'not-done', retryAfterMs: SECOND });
    }
  });

  it('at a response_url says how long to wait, and never less than a second', async () => {
    for (const [retryAfter, retryAfterMs] of [
      ['0', SECOND],
      ['7', 7_000],
      ['x', SECOND],
    ] as const) {
      const { url } = await openServer((_request, response) =>
        response.writeHead(429, { 'retry-after': retryAfter }).end(),
      );
      await expect(
        respond(url, { lines: [say`Hello`] }, { replaces: false, timeoutMs: 2_000, connections }),
      ).rejects.toMatchObject({ code: 'ratelimited', outcome: 'not-done', retryAfterMs });
    }
  });

  it('to an upload says how long to wait, and never less than a second', async () => {
    const { url } = await openServer((_request, response) =>
      response.writeHead(429, { 'retry-after': '0' }).end(),
    );
    const web = {
      files: { getUploadURLExternal: async () => ({ upload_url: `${url}/upload/1`, file_id: 'F0123' }) },
    };
    const uploads = createUploads(web as never, { apiUrl: `${url}/api/`, timeoutMs: 2_000, connections });
    const file = { name: 'a.csv', lengthBytes: 1, read: () => Readable.from([Buffer.from('a')]) };
    await expect(uploads.send('C0OPS000001', file)).rejects.toMatchObject({
      code: 'ratelimited',
      outcome: 'not-done',
      retryAfterMs: SECOND,
    });
  });

  it('for longer than an answer may wait is asked again by a later try', async () => {
    let asked = 0;
    const whisper = (): Promise<never> => {
      asked += 1;
      return Promise.reject(tooManyRequests(60));
    };
    const responder = createResponder({ whisper } as never, { connections, timeoutMs: 2_000 });
    const ask = { id: 'a'.repeat(22), replaces: false, actor: { userId: 'U1' }, place: { channelId: 'C1' } };
    await expect(responder.tell(ask, { lines: [say`Hello`] })).rejects.toMatchObject({ dead: false });
    expect(asked).toBe(1);
  });

  it('for longer than a person waits is asked once who somebody is', async () => {
    let asked = 0;
    const web = {
      users: {
        info: (): Promise<never> => {
          asked += 1;
          return Promise.reject(new WebAPIRateLimitedError(30));
        },
      },
    };
    const identity = { teamId: async () => 'T1', workspace: async () => ({ teamId: 'T1' }) };
    const people = createPeople(web as never, identity as never);
    await expect(people.standing('U0ANA000001', 'T1')).rejects.toThrow();
    expect(asked).toBe(1);
  });
});

it('whatever a Retry-After says, the pause is between a second and ten minutes', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double(), fc.string(), fc.integer().map(String), fc.constant(undefined)),
      (retryAfter) => {
        const pauseMs = pauseMsOf(retryAfter);
        expect(pauseMs).toBeGreaterThanOrEqual(SECOND);
        expect(pauseMs).toBeLessThanOrEqual(600 * SECOND);
      },
    ),
  );
});
