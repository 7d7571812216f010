import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../../src/platform/slack/bolt.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { createMessenger, type Messenger } from '../../src/platform/slack/messenger.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { createDice, type Dice, mutateBody, NASTY_TEXTS } from './dice.ts';
import { isPolluted, MAX_MS, watchForCrashes } from './watching.ts';
import { RULE_RUNS } from '../support/runs.ts';

interface SlackAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The bot's own client and messenger over a wire on which we answer. */
function openMessenger(answer: () => SlackAnswer | Error): Messenger {
  const fetch = async (): Promise<Response> => {
    const given = answer();
    if (given instanceof Error) throw given;
    const isBodiless = [204, 205, 304].includes(given.status);
    return new Response(isBodiless ? null : given.body, { status: given.status, headers: given.headers });
  };
  const logger = createSlackLogger(createLog('silent', []));
  return createMessenger(
    createWebClient('xoxb-1', { apiUrl: 'http://127.0.0.1:9/api/', timeoutMs: 0, logger, fetch }),
  );
}

const where = { channelId: 'C0OPS000001' };
const posted = { ok: true, channel: 'C0OPS000001', ts: '1795177815.000100', message: { text: 'x' } };
const ANSWERS: readonly object[] = [
  posted,
  { ok: false, error: 'channel_not_found' },
  { ok: false, error: 'internal_error', response_metadata: { messages: ['[ERROR] x'], warnings: ['x'] } },
  {
    ok: true,
    messages: [{ ts: '1.2', blocks: [{ block_id: 'key' }] }],
    response_metadata: { next_cursor: 'x' },
  },
  { ok: true, messages: [{ ts: '1.2', metadata: { event_type: 'x', event_payload: { key: 'key' } } }] },
  { ok: true, channel: { id: 'D0ANA000001' } },
];
const message = { lines: [say`Hello`] };
const stretch = { from: 940_000, to: 1_060_000 };

type Act = (messenger: Messenger) => Promise<unknown>;
const post: Act = (messenger) => messenger.post(where, message, 'key');
const ACTS: readonly Act[] = [
  post,
  post,
  (messenger) => messenger.update({ ...where, ts: '1.2' }, message, 'key'),
  (messenger) => messenger.findOnPage(where, 'key', stretch),
  (messenger) => messenger.findOnPage({ ...where, threadTs: '1.2' }, 'key', stretch),
  (messenger) => messenger.remove({ channelId: 'C1', ts: '1.2' }),
  (messenger) => messenger.directChannel('U0ANA000001'),
  (messenger) => messenger.whisper(where, 'U0ANA000001', message),
];

function someAnswer(dice: Dice): SlackAnswer | Error {
  if (dice.oneIn(30))
    return dice.pick([new Error('x'), new TypeError('fetch failed', { cause: new Error('y') })]);
  const status = dice.oneIn(4) ? dice.pick([201, 204, 301, 400, 403, 429, 500, 502, 503]) : 200;
  const retryAfter = dice.pick(['1', '0', '-5', 'soon', '1e9', '', '9'.repeat(40)]);
  return {
    status,
    headers: {
      'content-type': dice.oneIn(10) ? dice.pick(['application/gzip', 'text/html', 'x']) : 'application/json',
      ...(dice.oneIn(3) ? { 'retry-after': retryAfter } : {}),
      ...(dice.oneIn(9) ? { 'x-oauth-scopes': dice.pick(['', ',,,', 'a, b']) } : {}),
    },
    body: mutateBody(dice, dice.pick(ANSWERS)),
  };
}

/** Whether an answer says that a call was done, and whether it says where the message stands. Read without the bot. */
function read(answer: SlackAnswer | Error): { isDone: boolean; isPosted: boolean } {
  const none = { isDone: false, isPosted: false };
  if (
    answer instanceof Error ||
    answer.status !== 200 ||
    answer.headers['content-type'] === 'application/gzip'
  )
    return none;
  try {
    const body = JSON.parse(answer.body) as Partial<Record<string, unknown>> | null;
    const isDone = Boolean(body?.['ok']);
    return {
      isDone,
      isPosted:
        isDone &&
        typeof body?.['channel'] === 'string' &&
        /^[CDG][A-Za-z0-9_]{1,63}$/.test(body['channel']) &&
        typeof body?.['ts'] === 'string' &&
        /^\d{1,12}(\.\d{1,9})?$/.test(body['ts']),
    };
  } catch {
    return none;
  }
}

/** Whether an answer is a 429, whatever it says of how long to wait. */
function isTooMany(answer: SlackAnswer | Error): boolean {
  return !(answer instanceof Error) && answer.status === 429;
}

test(
  'malformed answers of Slack: a SlackError or what the answer says, and never a post that was not',
  async () => {
    const crashes = watchForCrashes();
    let answer: SlackAnswer | Error = new Error('none yet');
    let calls = 0;
    const messenger = openMessenger(() => {
      calls += 1;
      return answer;
    });
    const ended = { success: 0, unknown: 0, 'not-done': 0 };
    for (let round = 0; round < RULE_RUNS; round++) {
      const dice = createDice(round);
      const act = dice.pick(ACTS);
      answer = someAnswer(dice);
      calls = 0;
      const explain = (what: string): Error =>
        new Error(
          `round ${round}: ${what}: ${answer instanceof Error ? String(answer) : JSON.stringify(answer)}`,
        );
      const outcome: unknown = await act(messenger).catch((error: unknown) => error);
      const said = read(answer);
      if (outcome instanceof SlackError) {
        ended[outcome.outcome] += 1;
        if (act === post && said.isPosted) throw explain('a post that Slack took is not known');
        if (act === post && said.isDone && outcome.outcome === 'not-done')
          throw explain('what Slack did is called not done');
        if (isTooMany(answer) && outcome.code !== 'ratelimited') throw explain('a 429 is not known for one');
      } else if (outcome instanceof Error) throw explain(`${outcome.name} came out`);
      else {
        ended.success += 1;
        if (act === post && !said.isPosted) throw explain('a post that Slack did not take is a success');
      }
      // Nothing is repeated down here.
      if (calls > 1) throw explain(`${calls} calls`);
    }
    expect(Math.min(...Object.values(ended))).toBeGreaterThan(RULE_RUNS / 40);
    expect(isPolluted()).toBe(false);
    expect(crashes).toEqual([]);
  },
  MAX_MS,
);

describe('a post whose answer can not be read may have been done:', () => {
  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['an HTML page', '<html><body>Bad gateway</body></html>'],
    ['truncated JSON', '{"ok":true,"channel":"C0OPS000001","ts":"17951'],
    ['a success without an address', '{"ok":true}'],
    ['an address of another type', '{"ok":true,"channel":{"id":"C1"},"ts":1795177815.0001}'],
    ['a number', '7'],
    ['a fault that Slack is not sure of', '{"ok":false,"error":"internal_error"}'],
    ...NASTY_TEXTS.filter((text) => !/^[a-z_]+$/.test(text)).map((error) => [
      'a fault named oddly',
      JSON.stringify({ ok: false, error }),
    ]),
  ])('%s: %.40j', async (_what, body) => {
    const messenger = openMessenger(() => ({ status: 200, headers: {}, body: body ?? '' }));
    await expect(post(messenger)).rejects.toMatchObject({
      name: 'SlackError',
      outcome: 'unknown',
      dead: false,
    });
  });
});
