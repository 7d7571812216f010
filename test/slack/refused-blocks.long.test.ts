import { describe, expect, it } from 'vitest';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { botMessages, opensModal, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

const RESTARTED = 'Restarted web-1 (101)';

function isText(message: PostedMessage): boolean {
  return message.blocks.length === 0 && message.edits.every(({ blocks }) => blocks.length === 0);
}

describe('where Slack takes no blocks, as in #old-client', () => {
  it('a restart has its card, its end and its reply there as text, and nothing goes to direct messages', async () => {
    const sandbox = await play({ isRefused: true });
    const ana = sandbox.slack.person('ana');
    await ana.types('#old-client', '/instances restart web-1');
    await sandbox.settled();
    const [card, reply, ...more] = botMessages(sandbox, '#old-client');
    expect(sandbox.slack.read(card!)).toContain(RESTARTED);
    expect(sandbox.slack.read(reply!)).toContain(`@ana ${RESTARTED}`);
    expect(more).toEqual([]);
    expect([card!, reply!].every(isText)).toBe(true);
    expect(ana.dms).toEqual([]);
    expect(powerCalls(sandbox)).toBe(1);
    // Once it is known, edits do not try again what was refused.
    expect(sandbox.slack.refusals.map(({ method }) => method)).not.toContain('chat.update');
  });

  it.each(['answer lost', 'dropped'])('a card whose post was %s is there once all the same', async (how) => {
    const sandbox = await play({ isRefused: true });
    const { slack } = sandbox;
    const asText = ({ method, args }: { method: string; args: object }): boolean =>
      method === 'chat.postMessage' && !('blocks' in args);
    if (how === 'answer lost') slack.loseAnswerOfNext(asText);
    else slack.dropNext(asText);
    await slack.person('ana').types('#old-client', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox, '#old-client')).toHaveLength(2);
    expect(readAll(sandbox, '#old-client')[0]).toContain(RESTARTED);
  });

  it.each([
    ['a list', '/instances', ' instances: '],
    ['an instance, and which of its buttons are missing', '/instances show web-1', 'The buttons Restart'],
    [
      'a question with a list to pick from',
      '/instances restart',
      "can't be shown here: type the exact name or id",
    ],
    ['that a line is too long, in the acknowledgement itself', `/instances ${'x'.repeat(4_000)}`, 'too long'],
  ])('a person reads %s', async (_what, line, words) => {
    const sandbox = await play({ isRefused: true });
    const interaction = await sandbox.slack.person('ana').types('#old-client', line);
    await sandbox.slack.until(() =>
      interaction.ephemeral.some((one) => sandbox.slack.read(one).includes(words)),
    );
    expect(interaction.error).toBeUndefined();
    expect(interaction.ephemeral.every(isText)).toBe(true);
  });

  it('a mention is answered as well', async () => {
    const sandbox = await play({ isRefused: true });
    await sandbox.slack.person('ana').mentions('#old-client', 'show web-1');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana', '#old-client')[0]?.includes('web-1 (101)'));
  });

  it('a name that formats, mentions and links is shown as it is', async () => {
    const { pings, links } = await import('../../sandbox/slack/index.ts');
    const sandbox = await play({ isRefused: true });
    const interaction = await sandbox.slack.person('ana').types('#old-client', '/instances show 211');
    await sandbox.slack.until(() => interaction.ephemeral.length > 0);
    await sandbox.slack.person('ana').types('#old-client', '/instances restart 211');
    await sandbox.settled();
    const all = sandbox.slack.channel('#old-client').history.filter((one) => one.bot_id !== undefined);
    expect(all.length).toBeGreaterThan(2);
    for (const message of all) {
      expect(sandbox.slack.read(message)).toContain('*x*');
      expect(pings(message).broadcasts).toEqual([]);
      expect(links(message)).toEqual([]);
    }
    const taken = sandbox.slack.calls.filter(({ ok, args }) => ok && 'text' in args && !hasBlocks(args));
    expect(taken.length).toBeGreaterThan(2);
    for (const { args } of taken) expect(String(args['mrkdwn'])).toBe('false');
  });
});

function hasBlocks(args: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(args['blocks']) && args['blocks'].length > 0;
}

describe('a message that Slack refuses', () => {
  it.each([
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'msg_too_long',
    'invalid_attachments',
    'some_new_error',
  ])('with %s goes out again as text, to the same channel', async (error) => {
    const sandbox = await play();
    const { slack } = sandbox;
    slack.failNext('chat.postMessage', { error });
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    const [card, ...more] = botMessages(sandbox);
    expect(slack.read(card!)).toContain(RESTARTED);
    expect(isText(card!)).toBe(true);
    expect(more).toHaveLength(1);
    expect(slack.person('ana').dms).toEqual([]);
  });

  it.each(['invalid_blocks', 'msg_too_long', 'some_new_error'])(
    'with %s when it is edited shows its end as text',
    async (error) => {
      const sandbox = await play();
      const { slack } = sandbox;
      slack.failNext('chat.update', { error });
      await slack.person('ana').types('#ops', '/instances restart web-1');
      await sandbox.settled();
      const [card] = botMessages(sandbox);
      expect(slack.read(card!)).toContain(RESTARTED);
      expect(card!.blocks).toEqual([]);
    },
  );

  it.each(['response_url', 'chat.postEphemeral'])(
    'by %s for one person alone is sent as text',
    async (method) => {
      const sandbox = await play();
      const { slack } = sandbox;
      slack.failNext(method, { error: 'msg_blocks_too_long' });
      const ana = slack.person('ana');
      await (method === 'response_url' ? ana.types('#ops', '/instances') : ana.mentions('#ops', 'list'));
      await slack.until(() => privateTexts(sandbox, 'ana')[0]?.includes(' instances: '));
      expect(slack.channel('#ops').ephemeralFor('ana').every(isText)).toBe(true);
    },
  );

  it('for where it was to go is not tried there twice', async () => {
    const sandbox = await play({ isRefused: true });
    await sandbox.slack.person('admin').types('#secret', '/instances restart web-1');
    await sandbox.settled();
    const channel = sandbox.slack.channel('#secret').id;
    const posts = sandbox.slack.calls.filter(
      ({ method, args }) => method === 'chat.postMessage' && args['channel'] === channel,
    );
    expect(posts.map(({ error }) => error)).toEqual(['channel_not_found']);
  });

  it('as a modal is a message with a button that opens it', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const { slack } = sandbox;
    slack.failNext('views.open', { error: 'invalid_arguments' });
    const interaction = await slack.person('ana').types('#ops', '/instances delete web-2');
    await slack.until(() => interaction.ephemeral.length > 0);
    expect(JSON.stringify(interaction.ephemeral[0]!.blocks)).toContain('"button"');
    await opensModal(sandbox, 'ana', '/instances delete web-2');
  });
});
