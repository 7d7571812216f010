import { describe, expect, it } from 'vitest';
import { BOT } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/time/duration.ts';
import { botMessages, play, powerCalls, privateTexts } from '../support/sandbox.ts';

let count = 0;

/** A moment so long ago, as Slack writes it. */
function tsBefore(agoMs: number): string {
  return ((Date.now() - agoMs) / 1_000 + ++count / 1e6).toFixed(6);
}

/** Slack tells only now of a mention that somebody typed so long ago. Gives the status that it is answered with. */
async function mentionedBefore(
  { slack }: Sandbox,
  agoMs: number,
  words: string,
  { who = 'ana', ...over }: { readonly who?: string; readonly thread_ts?: string; readonly ts?: string } = {},
): Promise<number | undefined> {
  const interaction = await slack.person(who).types('#ops', 'I will be back');
  const ts = tsBefore(agoMs);
  const event = { text: `<@${BOT.userId}> ${words}`, ts, event_ts: ts, ...over };
  return (await slack.tellAgain(interaction.message!, event))?.status; // what was said is a message
}

/** What the person reads alone, once it is there. */
async function answered(sandbox: Sandbox, who = 'ana'): Promise<PostedMessage> {
  const { slack } = sandbox;
  const message = await slack.until(() => slack.channel('#ops').ephemeralFor(who)[0]);
  await sandbox.settled();
  return message;
}

describe('what was typed long ago and comes now is not begun, and its person', () => {
  it.each([
    ['two hours', 2 * HOUR_MS],
    ['twenty hours', 20 * HOUR_MS],
    ['six minutes', 6 * MINUTE_MS],
  ])('reads so after %s, and can ask again', async (_name, agoMs) => {
    const sandbox = await play();
    const { slack } = sandbox;
    expect(await mentionedBefore(sandbox, agoMs, 'restart web-1')).toBe(200);
    const message = await answered(sandbox);
    expect(slack.read(message)).toMatch(
      /^You asked for "Restart web-1" .* ago, while I was away\. Nothing was started\. Ask again if you still want it\.$/,
    );
    expect(powerCalls(sandbox)).toBe(0);
    expect(botMessages(sandbox)).toEqual([]);
  });

  it('reads it in the thread where they asked', async () => {
    const sandbox = await play();
    const interaction = await sandbox.slack.person('bob').types('#ops', 'web-1 is slow');
    await mentionedBefore(sandbox, HOUR_MS, 'restart web-1', { thread_ts: interaction.message!.ts });
    expect((await answered(sandbox)).thread_ts).toBe(interaction.message!.ts);
  });

  it.each(['show web-1', 'restart web-1 web-2', 'stop web-99', 'restart'])(
    'is answered nothing else, nor asked, of "%s"',
    async (words) => {
      const sandbox = await play();
      await mentionedBefore(sandbox, HOUR_MS, words);
      await answered(sandbox);
      expect(privateTexts(sandbox, 'ana')).toEqual([expect.stringMatching(/while I was away/)]);
    },
  );

  it('is told no name that they may not see, and can press nothing that they may not', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_EVERYONE: 'none' },
    });
    await mentionedBefore(sandbox, HOUR_MS, 'restart 101', { who: 'bob' });
    const message = await answered(sandbox, 'bob');
    expect(sandbox.slack.read(message)).not.toContain('web-1');
    expect(JSON.stringify(message.blocks)).not.toContain('button');
  });

  it('hears of it once, however often Slack tells', async () => {
    const sandbox = await play();
    const ts = tsBefore(HOUR_MS);
    for (let times = 0; times < 4; times++) await mentionedBefore(sandbox, HOUR_MS, 'restart web-1', { ts });
    await answered(sandbox);
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
  });

  it('hears nothing of what was done in time and is told again later', async () => {
    const sandbox = await play();
    const ts = tsBefore(4 * MINUTE_MS);
    await mentionedBefore(sandbox, 0, 'restart web-1', { ts });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    await mentionedBefore(sandbox, 0, 'restart web-1', { ts });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });

  it('reads a handful of messages where an outage is replayed at once', async () => {
    const sandbox = await play();
    const all = Array.from({ length: 60 }, async (_, index) =>
      mentionedBefore(sandbox, HOUR_MS, index % 2 ? 'restart web-1' : 'show web-1'),
    );
    expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
    await sandbox.settled();
    const texts = privateTexts(sandbox, 'ana');
    expect(texts.length).toBeLessThanOrEqual(6);
    expect(texts.filter((text) => text.includes('More of what you asked'))).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('leaves an entry in the audit', async () => {
    const sandbox = await play();
    await mentionedBefore(sandbox, HOUR_MS, 'restart web-1');
    await answered(sandbox);
    await sandbox.slack.person('admin').types('#ops', '/lamplighter audit');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'admin').some((text) => /restart web-1/.test(text) && /late|expired/.test(text)),
    );
  });
});

describe('what was not typed long ago is begun:', () => {
  it.each([
    ['four minutes ago', 4 * MINUTE_MS],
    ['in the future, by a clock that is wrong', -HOUR_MS],
  ])('%s', async (_name, agoMs) => {
    const sandbox = await play();
    await mentionedBefore(sandbox, agoMs, 'restart web-1');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });
});

describe('what was pressed long ago and comes now is not begun:', () => {
  it('a button, and its person reads that they can press it again', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const interaction = await slack.person('ana').types('#ops', '/instances show web-1');
    const card = await slack.until(() => interaction.ephemeral[0]);
    const [, value] =
      /"action_id":"instances\.restart".*?"value":"([^"]+)"/.exec(JSON.stringify(card.blocks)) ?? [];
    const press = {
      type: 'block_actions',
      user: { id: slack.person('ana').id },
      channel: { id: slack.channel('#ops').id },
      container: { type: 'message', channel_id: slack.channel('#ops').id, is_ephemeral: true },
      trigger_id: '1.2.3',
      actions: [{ type: 'button', action_id: 'instances.restart', value, action_ts: tsBefore(HOUR_MS) }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(press) }).toString();
    expect((await slack.send({ body })).status).toBe(200);
    await slack.until(() => privateTexts(sandbox, 'ana').some((text) => text.includes('Press it again')));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(slack.read(card)).toContain('web-1 (101)');
  });

  it('a Home that was opened then is not drawn for nobody', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const event = (agoMs: number): string =>
      JSON.stringify({
        type: 'event_callback',
        team_id: 'T0LANTERN01',
        event_id: `Ev0${++count}`,
        event_time: Math.floor((Date.now() - agoMs) / 1_000),
        event: {
          type: 'app_home_opened',
          user: slack.person('ana').id,
          channel: slack.person('ana').dm.id,
          tab: 'home',
        },
      });
    const published = (): number => slack.calls.filter(({ method }) => method === 'views.publish').length;
    await slack.send({ body: event(HOUR_MS), contentType: 'application/json' });
    await sandbox.settled();
    expect(published()).toBe(0);
    await slack.send({ body: event(0), contentType: 'application/json' });
    await slack.until(() => published() > 0);
  });
});
