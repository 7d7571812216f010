import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { dmWith, readDms } from '../support/asking.ts';
import { botMessages, play, powerCalls, privateTexts, readAll, privateMessage } from '../support/sandbox.ts';

const ACT = 'instances.act';

/** A message that bob writes in #ops. */
async function written(sandbox: Sandbox, text: string): Promise<PostedMessage> {
  const interaction = await sandbox.slack.person('bob').types('#ops', text);
  return interaction.message!;
}

/** Uses the shortcut on a message, and gives what is answered to that person alone. */
async function actsOn(sandbox: Sandbox, message: PostedMessage, who = 'ana'): Promise<PostedMessage> {
  const interaction = await sandbox.slack.person(who).usesShortcut(ACT, message);
  expect(interaction.status).toBe(200);
  const seen = (): PostedMessage | undefined =>
    sandbox.slack
      .channel('#ops')
      .ephemeralFor(who)
      .findLast((one) => !one.deleted);
  return sandbox.slack.until(seen);
}

describe('the shortcut of a message', () => {
  it('shows the card of the one instance that is named, whose buttons act on it', async () => {
    const sandbox = await play();
    const answer = await actsOn(sandbox, await written(sandbox, 'hm, web-1 hangs. And web-10?'));
    expect(sandbox.slack.read(answer)).toContain('web-1 (101) · running');
    expect(readAll(sandbox)).toEqual([]);
    await sandbox.slack.person('ana').presses(answer, 'Stop');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Stopped web-1 (101)');
  });

  it.each([
    '2001:db8::65 does not answer',
    'ping [2001:db8::65]: timeout',
    'Host=2001:db8::65, critical',
    '[FIRING:1] <https://web-1-101.example.test/health|probe> https://web-1-101.example.test/health is down',
    'web-1-101.example.test:443 refused the connection',
    '<http://web-1-101.example.test|web-1-101.example.test> hangs.',
    'CRITICAL: WEB-1-101.EXAMPLE.TEST',
    'root@web-1-101.example.test: load 12',
    'instance="2001:DB8::65"',
    'http://[2001:db8::65]:8080/ 502',
  ])('shows the instance of the address in "%s"', async (text) => {
    const sandbox = await play();
    const answer = await actsOn(sandbox, await written(sandbox, text));
    expect(sandbox.slack.read(answer)).toContain('web-1 (101) · running');
  });

  it('shows several, each with its status and its own buttons', async () => {
    const sandbox = await play();
    const message = await written(sandbox, 'staging (104) talks to *web-2*, `worker-1`; 105 too, and web-2.');
    const answer = await actsOn(sandbox, message);
    expect(sandbox.slack.read(answer)).toBe(
      [
        'That message names 4 instances:',
        '⚫ staging (104) · stopped',
        '[ Show ] [ Start ]',
        '🟢 web-2 (102) · running',
        '[ Show ] [ Restart ] [ Stop ]',
        '🟢 worker-1 (103) · running',
        '[ Show ] [ Restart ] [ Stop ]',
        '🟢 db-1 (105) · running',
        '[ Show ] [ Restart ] [ Stop ]',
      ].join('\n'),
    );
    const spoken = JSON.stringify(answer.blocks).match(/(?<="accessibility_label":")[^"]+/g) ?? [];
    expect(spoken.slice(0, 5)).toEqual([
      'Show staging (104)',
      'Start staging (104)',
      'Show web-2 (102)',
      'Restart web-2 (102)',
      'Stop web-2 (102)',
    ]);
    const starts = answer.blocks.flatMap(
      (block) => JSON.stringify(block).match(/"instances\.start[^"]*"/g) ?? [],
    );
    expect(starts).toHaveLength(1);
    await sandbox.slack.person('ana').presses(answer, 'Start');
    await sandbox.slack.until(() => powerCalls(sandbox, 'start') === 1);
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('POST', /\/104\/start$/)).toBe(1);
  });

  it('shows five at most, and says how many there are', async () => {
    const sandbox = await play();
    const message = await written(sandbox, '101 102 103 104 105 201 202');
    const answer = sandbox.slack.read(await actsOn(sandbox, message));
    expect(answer).toContain('names 7 instances. These are the first 5:');
    expect(answer.match(/\[ Show \]/g)).toHaveLength(5);
  });

  it('reads what another bot says in blocks and attachments alone', async () => {
    const sandbox = await play();
    const ops = sandbox.slack.channel('#ops');
    const message = await written(sandbox, 'x');
    message.edit({
      text: '',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '*Alert* on &lt;prod&gt; <http://db-1|db-1>' } },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'work' },
                { type: 'text', text: 'er-1', style: { bold: true } },
              ],
            },
          ],
        },
      ],
    });
    expect(ops.messages).toHaveLength(1);
    const answer = sandbox.slack.read(await actsOn(sandbox, message));
    expect(answer).toContain('db-1 (105)');
    expect(answer).toContain('worker-1 (103)');
  });

  it('offers the picker where no instance is named', async () => {
    const sandbox = await play();
    const answer = await actsOn(sandbox, await written(sandbox, 'lunch?'));
    expect(sandbox.slack.read(answer)).toContain('I found no instance in that message');
    await sandbox.slack.person('ana').searches(answer, 'instances.show', 'web-2');
    await sandbox.slack.person('ana').chooses(answer, 'instances.show', '102');
    await privateMessage(sandbox, 'ana', 'web-2 (102) · running');
  });

  it('in a thread leads to a card in that thread', async () => {
    const sandbox = await play();
    const root = await written(sandbox, 'something is slow');
    const interaction = await sandbox.slack.person('bob').types('#ops', 'it is web-1', { thread: root.ts });
    const answer = await actsOn(sandbox, interaction.message!);
    await sandbox.slack.person('ana').presses(answer, 'Stop');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    expect(sandbox.slack.read(botMessages(sandbox)[0]!)).toContain('Stopped web-1 (101)');
  });

  it('finds only what this person may see, and shows only what they may press', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/lamplighter access grant viewer @ana on web-1');
    await sandbox.settled();
    const answer = sandbox.slack.read(await actsOn(sandbox, await written(sandbox, 'web-1, web-2 and db-1')));
    expect(answer).toContain('web-1 (101) · running');
    expect(answer).not.toContain('web-2');
    expect(answer).not.toContain('Restart');
  });

  it('refuses somebody without a role, and tells them nothing of what there is', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const before = sandbox.hosting.calls.length;
    const answer = sandbox.slack.read(await actsOn(sandbox, await written(sandbox, 'web-1 hangs')));
    expect(answer).toContain('You need the viewer role to see instances.');
    expect(sandbox.hosting.calls.length).toBe(before);
  });

  it('is refused where the same delivery comes again', async () => {
    const sandbox = await play();
    const interaction = await sandbox.slack
      .person('ana')
      .usesShortcut(ACT, await written(sandbox, 'web-1 hangs'));
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 1);
    expect((await sandbox.slack.replay(interaction.requestId!)).status).toBe(409);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
  });

  it('says in words that the hosting service does not answer', async () => {
    const sandbox = await play();
    const message = await written(sandbox, 'web-1 hangs');
    for (let times = 0; times < 20; times++)
      sandbox.hosting.failNext({ method: 'GET' }, { answer: 503, done: false });
    expect(sandbox.slack.read(await actsOn(sandbox, message))).toContain('The hosting service');
  });
});

it.each(['instances.delete', 'instances.show', 'nothing', 'constructor'])(
  'a shortcut named %s leads nowhere and does nothing',
  async (callbackId) => {
    const sandbox = await play();
    const message = await written(sandbox, 'web-1 hangs');
    const interaction = await sandbox.slack.person('admin').usesShortcut(callbackId, message);
    expect(interaction.status).toBe(200);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'admin')).toEqual([]);
    expect(sandbox.slack.person('admin').views).toEqual([]);
  },
);

describe('the shortcut from anywhere', () => {
  const FIND = 'instances.find';

  /** Uses it, and gives the modal. */
  async function finds(sandbox: Sandbox, who = 'ana'): Promise<View> {
    const person = sandbox.slack.person(who);
    expect((await person.usesShortcut(FIND)).status).toBe(200);
    return sandbox.slack.until(() => person.views.at(-1));
  }

  it('offers what the person may see, and shows what they pick with its buttons among their messages', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    // Slack takes what can be pressed, so that a command would be answered with its acknowledgement.
    await ana.types('#ops', '/instances');
    await sandbox.settled();
    const modal = await finds(sandbox);
    const { options } = await ana.searches(modal, 'instances.show', 'web-2');
    expect(JSON.stringify(options)).toContain('web-2 (102) · running');
    expect(powerCalls(sandbox)).toBe(0);
    expect((await ana.submits(modal, { field: '102' })).errors).toBeUndefined();
    expect(ana.views).toEqual([]);
    const card = await sandbox.slack.until(() => ana.dms.at(-1));
    expect(sandbox.slack.read(card)).toContain('web-2 (102) · running');
    await ana.presses(card, 'Stop');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    expect(ana.dms.some((one) => sandbox.slack.read(one).includes('Stopped web-2 (102)'))).toBe(true);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('offers nothing that the person may not see, and shows it to nobody who submits its id', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const ana = sandbox.slack.person('ana');
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant viewer @ana on web-1');
    await sandbox.settled();
    const modal = await finds(sandbox);
    const { options } = await ana.searches(modal, 'instances.show', '');
    expect(options.map(({ value }) => value)).toEqual(['101']);
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access revoke viewer @ana on web-1');
    await sandbox.settled();
    await ana.submits(modal, { field: '101' });
    await dmWith(sandbox, 'ana', 'took your viewer role back');
    expect(readDms(sandbox, 'ana')).not.toContain('running');
  });

  it('tells somebody without a role so, with no modal', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const ana = sandbox.slack.person('ana');
    await ana.usesShortcut(FIND);
    const said = await sandbox.slack.until(() => ana.dms.at(-1));
    expect(sandbox.slack.read(said)).toContain('You need the viewer role to see instances.');
    expect(ana.views).toEqual([]);
  });

  it('offers the same picker as a message where Slack opens no modal', async () => {
    const sandbox = await play({ isRefused: true });
    const ana = sandbox.slack.person('ana');
    sandbox.slack.failNext('views.open', { error: 'expired_trigger_id' });
    await ana.usesShortcut(FIND);
    const said = await sandbox.slack.until(() => ana.dms.at(-1));
    expect(sandbox.slack.read(said)).toContain('Which instance do you want to see?');
    await ana.chooses(said, 'instances.show', '101');
    await dmWith(sandbox, 'ana', 'web-1 (101) · running');
  });

  it('is not acknowledged where nobody can be written to, so that Slack says that it failed', async () => {
    const sandbox = await play({ isRefused: true });
    const ana = sandbox.slack.person('ana');
    sandbox.slack.failNext('conversations.open', { error: 'user_disabled' });
    expect((await ana.usesShortcut(FIND)).status).not.toBe(200);
    expect(ana.views).toEqual([]);
  });

  it('is not what a message has, and the other way round', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const message = await written(sandbox, 'web-1 hangs');
    for (const interaction of [await ana.usesShortcut(FIND, message), await ana.usesShortcut(ACT)])
      expect(interaction.status).toBe(200);
    await sandbox.settled();
    expect(ana.views).toEqual([]);
    expect([...privateTexts(sandbox, 'ana'), ...ana.dms]).toEqual([]);
  });
});
