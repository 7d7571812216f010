import { describe, expect, it } from 'vitest';
import {
  answerTo,
  botMessages,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
  SOON_FOUND,
} from '../support/sandbox.ts';

const RESTARTED = 'Restarted web-1 (101)';

describe('Slack in trouble', () => {
  it('gets one card although the answer to its post was lost', async () => {
    const sandbox = await play({ timings: SOON_FOUND });
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    // Meanwhile they read it alone.
    await privateMessage(sandbox, 'ana', 'Restarting web-1 (101)');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain(RESTARTED);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('gets the card once more where the post never arrived', async () => {
    const sandbox = await play({ timings: SOON_FOUND });
    sandbox.slack.dropNext('chat.postMessage');
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it.each([
    ['card', 0],
    ['reply', 1],
  ] as const)(
    'loses the second %s again that a process sent which had slept in the middle of it',
    async (_part, nth) => {
      const sandbox = await play({ timings: SOON_FOUND });
      const { slack } = sandbox;
      let held: ReturnType<typeof slack.hold> | undefined;
      if (nth === 0) held = slack.hold('chat.postMessage');
      await slack.person('ana').types('#ops', '/instances restart web-1');
      if (nth === 1) {
        await slack.until(() => readAll(sandbox).length === 1);
        held = slack.hold('chat.postMessage');
      }
      await held!.arrived;
      // Looked for in vain, it goes out again; only then the first one lands.
      await slack.until(() => readAll(sandbox).length === nth + 1);
      held!.release();
      await slack.until(() => readAll(sandbox).length === nth + 2);
      await sandbox.settled();
      const [card, reply, ...more] = readAll(sandbox);
      expect(card).toContain(RESTARTED);
      expect(reply).toContain(`@ana ${RESTARTED}`);
      expect(more).toEqual([]);
    },
  );

  it('gets the reply once although its answer was lost', async () => {
    const sandbox = await play({ timings: SOON_FOUND });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).length === 1);
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('shows the end although edits fail, are lost or are asked to wait', async () => {
    const sandbox = await play({ timings: SOON_FOUND });
    sandbox.slack.loseAnswerOfNext('chat.update');
    sandbox.slack.failNext('chat.update', { status: 500 });
    sandbox.slack.rateLimitNext('chat.update', { retryAfter: 1 });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain(RESTARTED);
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('holds up neither the restart nor another channel while one channel must wait', async () => {
    const sandbox = await play();
    sandbox.slack.rateLimitNext('chat.postMessage', { retryAfter: 2, channel: '#ops' });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await ana.types('#billing', '/instances restart web-2');
    await sandbox.slack.until(() => readAll(sandbox, '#billing').length === 2);
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(2);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('is shown in direct messages where the bot can not post to the channel', async () => {
    const sandbox = await play({ isRefused: true });
    const admin = sandbox.slack.person('admin');
    await admin.types('#secret', '/instances restart web-1');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(admin.dms.map((message) => sandbox.slack.read(message))).toEqual([
      expect.stringContaining(RESTARTED),
      expect.stringContaining('@admin Restarted'),
    ]);
  });

  it('tells the end in direct messages where the channel was archived meanwhile', async () => {
    const sandbox = await play({ hosting: { powerMs: 600 }, isRefused: true });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).length === 1);
    sandbox.slack.channel('#ops').archive();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(ana.dms.map((message) => sandbox.slack.read(message))).toEqual([
      expect.stringContaining(`@ana ${RESTARTED}`),
    ]);
  });

  it('tells the end although somebody deleted the card', async () => {
    const sandbox = await play();
    sandbox.slack.failNext('chat.update', { error: 'message_not_found' });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[1]).toContain(`@ana ${RESTARTED}`);
  });

  it('answers by an ephemeral message where the response_url serves no more', async () => {
    const sandbox = await play();
    sandbox.slack.failNext('response_url', { status: 404 });
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain('23 instances');
  });

  it('never sees a message without its key, so that each can be found again', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const keys = botMessages(sandbox).map((message) => message.content.metadata?.['event_payload']);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(2);
  });
});

describe('a name that tries to be more than a name', () => {
  it('is shown literally everywhere, pings nobody and links nothing', async () => {
    const { pings, links } = await import('../../sandbox/slack/index.ts');
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const rude = '<!channel> *x* <http://evil|Pay>';
    for (const line of [
      '/instances',
      '/instances show 211',
      '/instances restart',
      '/instances restart nope<!channel>',
    ]) {
      await answerTo(sandbox, 'ana', line);
    }
    await runToEnd(sandbox, 'ana', '/instances restart 211 --because "<!here> <http://evil|x> *b*"');
    await answerTo(sandbox, 'ana', '/instances stop web-1 --dry-run');
    await ana.mentions('#ops', 'show 211');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 6);
    expect(readAll(sandbox)[0]).toContain(`Restarted ${rude} (211)`);
    expect(privateTexts(sandbox, 'ana')[0]).toContain(rude);
    const everything = sandbox.slack
      .channel('#ops')
      .history.filter((message) => message.bot_id !== undefined);
    expect(everything.length).toBeGreaterThan(5);
    for (const message of everything) {
      expect(pings(message)).toMatchObject({ broadcasts: [] });
      expect(links(message)).toEqual([]);
    }
    const calls = sandbox.slack.calls.filter(({ method }) => /^chat\.(post|update)/.test(method));
    expect(new Set(calls.map(({ method }) => method)).size).toBe(3);
    for (const { args } of calls) expect(args).toMatchObject({ parse: 'none', link_names: 'false' });
  });
});
