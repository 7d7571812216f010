import { describe, expect, it } from 'vitest';
import type { SlackDoubleOptions } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instead } from '../support/instead.ts';
import { type RedisProxy, startRedisProxy } from '../support/redis-proxy.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

/** A bot whose connections to Redis can break as Redis answers. */
async function playThroughProxy(use: (sandbox: Sandbox, proxy: RedisProxy) => Promise<void>): Promise<void> {
  const sandbox = await play({ bot: false });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url });
    await use(sandbox, proxy);
    await sandbox.settled();
    await sandbox.stopBots();
  } finally {
    await proxy.stop();
  }
}

describe('where the connection to Redis breaks as it answers that a request is new, the request is new all the same:', () => {
  it('a command that asks to see something shows it', () =>
    playThroughProxy(async (sandbox, proxy) => {
      const ana = sandbox.slack.person('ana');
      await ana.types('#ops', '/instances');
      await privateMessage(sandbox, 'ana', 'Show one');
      proxy.loseAnswerTo('delivery:');
      expect((await ana.types('#ops', '/instances')).body).toContain('web-1');
    }));

  it('a mention that asks to see something is answered at once', () =>
    playThroughProxy(async (sandbox, proxy) => {
      proxy.loseAnswerTo('delivery:');
      await sandbox.slack.person('ana').mentions('#ops', 'show web-1');
      await privateMessage(sandbox, 'ana', 'web-1 (101)');
      expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
    }));

  it('a mention that is unclear is answered', () =>
    playThroughProxy(async (sandbox, proxy) => {
      proxy.loseAnswerTo('delivery:');
      await sandbox.slack.person('ana').mentions('#ops', 'restart "web-1');
      await privateMessage(sandbox, 'ana', 'quotation mark');
    }));

  it('a restart is done, once', () =>
    playThroughProxy(async (sandbox, proxy) => {
      proxy.loseAnswerTo('delivery:');
      await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(1);
      expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    }));
});

/** Slack takes no private message of the bot while it is in trouble. */
function troubleOfSlack(): { readonly weather: NonNullable<SlackDoubleOptions['weather']>; end(): void } {
  let isInTrouble = true;
  return {
    weather: ({ method }) => (isInTrouble && method === 'chat.postEphemeral' ? { status: 500 } : undefined),
    end: () => {
      isInTrouble = false;
    },
  };
}

it('a mention that is unclear, and that nobody could be answered about, is left to Slack to send again', async () => {
  const { weather, end } = troubleOfSlack();
  const sandbox = await play({ slack: { weather } });
  // It takes the 0.8 s for which a word about it is waited for.
  const interaction = await sandbox.slack.person('ana').mentions('#ops', 'restart "web-1');
  expect(interaction.status).toBe(500);
  end();
  await privateMessage(sandbox, 'ana', 'quotation mark');
  const said = privateTexts(sandbox, 'ana').length;
  expect((await sandbox.slack.retry(interaction.requestId!, 1)).status).toBe(200);
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === said + 1);
});

it('a mention that is written down nowhere, and not answered in time, is left to Slack to send again', async () => {
  const { weather, end } = troubleOfSlack();
  const sandbox = await play({ bot: false, slack: { weather } });
  let remarks = 0;
  const notAcceptedAtFirst = instead('requests', 'acceptRead', async (own, ...args) => {
    remarks += 1;
    if (remarks === 1) throw new Error('Redis gave no answer in time');
    return (own as { acceptRead: (...given: unknown[]) => unknown }).acceptRead(...args);
  });
  await sandbox.startBot({}, notAcceptedAtFirst);
  // It takes the two seconds and more for which an answer, and then a word that there may be none, is waited for.
  const interaction = await sandbox.slack.person('ana').mentions('#ops', 'show web-1');
  expect(interaction.status).toBe(500);
  end();
  await privateMessage(sandbox, 'ana', 'web-1 (101)');
  await sandbox.settled();
  const said = privateTexts(sandbox, 'ana').length;
  expect((await sandbox.slack.retry(interaction.requestId!, 1)).status).toBe(200);
  await sandbox.settled();
  expect(privateTexts(sandbox, 'ana')).toHaveLength(said);
});
