import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, playTogether, powerCalls, readAll, urlOf } from '../support/sandbox.ts';
import { runs } from '../support/runs.ts';

const FORM = 'application/x-www-form-urlencoded';

interface Over {
  readonly at?: number;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  /** The bot that it is sent to; the first where none is named. */
  readonly url?: string;
}

async function post(sandbox: Sandbox, body: string | Buffer, over: Over = {}): Promise<number> {
  return (await answerTo(sandbox, body, over)).status;
}

async function answerTo(
  sandbox: Sandbox,
  body: string | Buffer,
  over: Over,
): Promise<{ status: number; text: string }> {
  const timestamp = String(Math.floor((over.at ?? Date.now()) / 1000));
  const signature = `v0=${createHmac('sha256', over.secret ?? sandbox.slack.signingSecret)
    .update(`v0:${timestamp}:`)
    .update(body)
    .digest('hex')}`;
  const answer = await fetch(over.url ?? urlOf(sandbox, '/slack/events'), {
    method: 'POST',
    body,
    headers: {
      'content-type': FORM,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
      ...over.headers,
    },
  });
  return { status: answer.status, text: await answer.text() };
}

function restart(sandbox: Sandbox, over: Record<string, string> = {}): string {
  const form = {
    command: '/instances',
    text: 'restart web-1',
    user_id: sandbox.slack.person('ana').id,
    channel_id: sandbox.slack.channel('#ops').id,
    trigger_id: String(Math.random()),
    ...over,
  };
  return new URLSearchParams(form).toString();
}

/** Where two bots take Slack's requests, the second started now. */
async function twoBots(sandbox: Sandbox): Promise<[first: string, second: string]> {
  const first = urlOf(sandbox, '/slack/events');
  await sandbox.startBot();
  const ports = [...sandbox.logs.join('').matchAll(/"port":(\d+)/g)].map(([, port]) => port);
  return [first, `http://127.0.0.1:${ports.at(-1)}/slack/events`];
}

async function expectUntouched(sandbox: Sandbox): Promise<void> {
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  expect(readAll(sandbox)).toEqual([]);
  expect((await fetch(urlOf(sandbox, '/healthz'))).status).toBe(200);
}

describe('a request that is not what Slack sends', () => {
  const together = playTogether();

  it('is taken once however often the same signed bytes come', async () => {
    const sandbox = await play();
    const at = Date.now();
    const body = restart(sandbox);
    const statuses = [];
    for (let times = 0; times < 5; times++) statuses.push(await post(sandbox, body, { at }));
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is taken once by two processes that get the same signed bytes', async () => {
    const sandbox = await play();
    const [first, second] = await twoBots(sandbox);
    const at = Date.now();
    const body = restart(sandbox);
    for (const url of [first, second, second, first]) await post(sandbox, body, { at, url });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('shows what only one person may see once, whichever process gets the same signed bytes', async () => {
    const sandbox = await play();
    const [first, second] = await twoBots(sandbox);
    const at = Date.now();
    const payload = {
      type: 'block_suggestion',
      user: { id: sandbox.slack.person('ana').id },
      channel: { id: sandbox.slack.channel('#ops').id },
      action_id: 'instances.show',
      value: 'web-1',
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    expect(await answerTo(sandbox, body, { at, url: first })).toMatchObject({
      status: 200,
      text: expect.stringContaining('web-1'),
    });
    expect(await answerTo(sandbox, body, { at, url: second })).toEqual({
      status: 200,
      text: '{"options":[]}',
    });
  });

  it('is refused when signed and malformed', async () => {
    const sandbox = await together();
    for (const [body, type] of [
      ['null', 'application/json'],
      ['payload=null', FORM],
      ['payload=%7B', FORM],
      ['[]', 'application/json'],
      ['"text"', 'application/json'],
      ['', FORM],
      ['{}', 'application/json'],
      ['payload=%7B%22type%22%3A%22block_actions%22%7D', FORM],
      ['{"type":"event_callback","event":null}', 'application/json'],
      ['{"__proto__":{"type":"event_callback"}}', 'application/json'],
      ['['.repeat(100_000), 'application/json'],
    ] as const) {
      const status = await post(sandbox, body, { headers: { 'content-type': type } });
      expect([body.slice(0, 40), status]).toEqual([body.slice(0, 40), 400]);
    }
    await expectUntouched(sandbox);
  });

  it('is refused when it is too large or compressed', async () => {
    const sandbox = await together();
    expect(await post(sandbox, `${restart(sandbox)}&x=${'x'.repeat(2_000_000)}`).catch(() => 413)).toBe(413);
    expect(await post(sandbox, restart(sandbox), { headers: { 'content-encoding': 'gzip' } })).toBe(415);
    await expectUntouched(sandbox);
  });

  it('runs nothing that is smuggled beside an ssl_check', async () => {
    const sandbox = await together();
    expect(await post(sandbox, `ssl_check=1&${restart(sandbox)}`)).toBe(200);
    await expectUntouched(sandbox);
  });

  it('answers Slack when it asks whether the address is ours', async () => {
    const sandbox = await together();
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'x' });
    expect(await post(sandbox, body, { headers: { 'content-type': 'application/json' } })).toBe(200);
  });

  it('posts an answer to no address but Slack’s own', async () => {
    const sandbox = await play();
    const body = restart(sandbox, { text: '', response_url: 'http://169.254.169.254/evil' });
    expect(await post(sandbox, body)).toBe(200);
    await sandbox.slack.until(() => sandbox.slack.calls.some((call) => call.method === 'chat.postEphemeral'));
  });

  it('never brings the bot down, whatever its bytes are', async () => {
    const sandbox = await play({ isRefused: true });
    const valid = Buffer.from(restart(sandbox));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.boolean(),
        async (changes, isSigned) => {
          const bytes = Buffer.from(valid);
          for (const [at, byte] of changes) bytes[at] = byte;
          if (bytes.equals(valid)) return;
          const status = await post(sandbox, bytes, isSigned ? {} : { secret: 'wrong-secret' });
          if (!isSigned) expect(status).toBe(401);
          else expect([200, 400, 404, 409]).toContain(status);
        },
      ),
      { numRuns: runs(1_500) },
    );
    await sandbox.settled();
    expect((await fetch(urlOf(sandbox, '/readyz'))).status).toBe(200);
  }, 240_000);
});
