import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

type Fault = Exclude<Parameters<Sandbox['hosting']['failNext']>[1], number>;

const PAGE = '<html><head><title>Attention Required! | Cloudflare</title></head><body>no</body></html>';
const LOCKED = 'Unable to remove VM: Server is currently locked';

/** The card of a command whose call is answered like this. */
async function cardOf(line: string, fault: Fault): Promise<[card: string, sandbox: Sandbox]> {
  const sandbox = await play({ timings: { settleMs: 300 }, hosting: { style: 'documented' } });
  sandbox.hosting.failNext({ method: 'POST' }, fault, 9);
  await runToEnd(sandbox, 'ana', line);
  return [readAll(sandbox)[0] ?? '', sandbox];
}

const done = (answer: number, body: string): Fault => ({ answer, done: true, body });
const undone = (answer: number, message: string): Fault => ({ answer, done: false, message });

describe('a restart that was done and answered', () => {
  it.each([
    [200, '{"error":{"code":"x","message":"boom <!channel>"}}', 'says neither yes nor no: "boom '],
    [200, '{"data":{"id":999,"name":"other","status":"running"}}', 'says neither yes nor no'],
    [200, '', 'says neither yes nor no'],
    [304, '', 'says neither yes nor no'],
    [307, PAGE, 'says neither yes nor no: "Attention Required! | Cloudflare"'],
    [403, PAGE, 'says neither yes nor no: "Attention Required! | Cloudflare"'],
    [404, '', 'says neither yes nor no'],
    [
      418,
      '{"error":{"code":"teapot","message":"short and stout"}}',
      'says neither yes nor no: "short and stout"',
    ],
    [425, PAGE, 'says neither yes nor no'],
    [451, PAGE, 'says neither yes nor no'],
    [499, '', 'says neither yes nor no'],
  ])('%i with the body %s is unknown, and was asked for once', async (status, body, words) => {
    const [card, sandbox] = await cardOf('/instances restart web-1', done(status, body));
    expect(card).toContain(
      `❔ web-1 (101): unknown whether it restarted, because the service's answer (${status}) ${words}`,
    );
    expect(card).toContain('Running now. Not retried.');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('503 with a sentence is told as that error, with its sentence', async () => {
    const [card, sandbox] = await cardOf('/instances restart web-1', { ...undone(503, LOCKED), done: true });
    expect(card).toContain(
      `unknown whether it restarted, because the service answered with an error (503): "${LOCKED}". Running now. Not retried.`,
    );
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).toContain(
      `unknown: no answer told what came of it. The service said: "${LOCKED}"`,
    );
  });
});

describe('a restart that is refused with a sentence', () => {
  it.each([400, 405, 406, 412, 415, 428, 431])(
    'says it with a %i, and is not asked again',
    async (status) => {
      const [card, sandbox] = await cardOf(
        '/instances restart web-1',
        undone(status, 'Set the header X-Confirm'),
      );
      expect(card).toContain(
        '❌ Could not restart web-1 (101): the service refused. The service said: "Set the header X-Confirm".',
      );
      expect(powerCalls(sandbox, 'restart')).toBe(1);
    },
  );

  it('says why the key is refused', async () => {
    const [card] = await cardOf('/instances restart web-1', undone(401, 'Unauthorized IP address'));
    expect(card).toContain(
      `the hosting service refused the bot's API key. The service said: "Unauthorized IP address". The person who runs the bot must check it.`,
    );
  });

  it('is unknown where a call before it may have been done', async () => {
    const sandbox = await play({ timings: { settleMs: 200 } });
    sandbox.hosting.failNext({ method: 'POST' }, { answer: 503, done: false }, 1);
    sandbox.hosting.failNext({ method: 'POST' }, undone(422, 'There is a pending event'), 1);
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    expect(readAll(sandbox)[0]).toContain('❔ web-1 (101): unknown whether it stopped');
  });
});

it('the card says meanwhile what was answered, and that it is still looking', async () => {
  const sandbox = await play({ timings: { settleMs: 60_000 }, hosting: { style: 'documented' } });
  sandbox.hosting.failNext({ method: 'POST' }, { answer: 504, done: false }, 1);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() =>
    readAll(sandbox)[0]?.includes(
      `I don't know yet whether it was done: the service answered with an error (504): "Something went wrong". I'm still checking, and won't do anything else until I know.`,
    ),
  );
});

it('what a page of a firewall answers is told to who asks, and the bot starts all the same', async () => {
  const sandbox = await play({ bot: false });
  sandbox.hosting.failNext({}, { answer: 403, done: false, body: PAGE }, 99);
  await sandbox.startBot();
  await sandbox.slack.until(() =>
    sandbox.logs.join('').includes('"said":"Attention Required! | Cloudflare"'),
  );
  expect(await answerTo(sandbox, 'ana', '/instances')).toContain(
    `The hosting service answered in a way that I can't read (403). The service said: "Attention Required! | Cloudflare". Try again in a minute.`,
  );
});
