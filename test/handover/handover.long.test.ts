import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import { offerKey } from '../../src/core/offers/offers.ts';
import { HANDOVERS } from '../../src/features/handover/things.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { dmWith } from '../support/asking.ts';
import { instead } from '../support/instead.ts';
import { answerTo, play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import { findCard, reads, setWatch, watch } from '../watches/watching.ts';

/** Ana is on an incident that web-1 and another that web-2 is in, and has snoozed the first. */
async function withAna(
  env: Readonly<Record<string, string>> = {},
  first: (sandbox: Sandbox) => Promise<void> = async () => undefined,
): Promise<Sandbox> {
  const sandbox = await watch('name:web-*', { env });
  await first(sandbox);
  sandbox.hosting.changeStatus(101, 'stopped');
  await answersAs(sandbox, 'ana', 'web-1 (101) was stopped', "I'm on it", '@ana is on it');
  await answersAs(sandbox, 'ana', 'web-1 (101) was stopped', 'Snooze for four hours', 'Snoozed by @ana');
  return sandbox;
}

/** The admin has frozen what bob may not see, and is on an incident. */
async function withAdmin(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const sandbox = await watch('name:web-*', { env });
  await sandbox.slack.person('admin').types('#ops', '/lamplighter freeze on db-* "migration"');
  await reads(sandbox, '@admin froze db-*');
  sandbox.hosting.changeStatus(101, 'stopped');
  await answersAs(sandbox, 'admin', 'web-1 (101) was stopped', "I'm on it", '@admin is on it');
  return sandbox;
}

/** Ana and bob are operators of these alone. */
const operatorsOf =
  (where: string) =>
  async (sandbox: Sandbox): Promise<void> => {
    for (const who of ['ana', 'bob'])
      await answerTo(sandbox, 'admin', `/lamplighter access grant operator @${who} on ${where}`);
  };

async function answersAs(
  sandbox: Sandbox,
  who: string,
  card: string,
  label: string,
  says: string,
): Promise<void> {
  await sandbox.slack.person(who).presses(await findCard(sandbox, card), label);
  await reads(sandbox, says);
}

async function handsOver(sandbox: Sandbox, who = 'ana', to = '@bob'): Promise<PostedMessage> {
  await sandbox.slack.person(who).types('#ops', `/lamplighter handover ${to}`);
  return findCard(sandbox, 'hands this over to you');
}

/** What was handed over is so no longer, since a while. */
async function expires(sandbox: Sandbox): Promise<void> {
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  for (const one of await redis.keys(offerKey(HANDOVERS, '*'))) {
    const what = (await redis.hget(one, 'what')) ?? '';
    await redis.hset(one, 'what', what.replace(/"expiresAt":\d+/, '"expiresAt":1'));
  }
  redis.disconnect();
}

describe('what is mine', () => {
  it('is listed for me alone, in words as well', async () => {
    const sandbox = await withAna();
    const own = await answerTo(sandbox, 'ana', '/lamplighter handover');
    expect(own).toContain('This is yours now:');
    expect(own).toContain('on it in #ops: ⚫ web-1 (101) was stopped.');
    expect(own).toMatch(/snooze in #ops until .*: ⚫ web-1 \(101\) was stopped\./);
    await sandbox.slack.person('bob').mentions('#ops', 'what is mine?');
    await privateMessage(sandbox, 'bob', 'Nothing open is yours here.');
  });
});

describe('handing over', () => {
  it('moves all of it at one press, and says so to both', async () => {
    const sandbox = await withAna();
    const message = await handsOver(sandbox);
    expect(sandbox.slack.read(message)).toContain('🤝 @bob, @ana hands this over to you:');
    expect(readAll(sandbox).join()).toContain('@ana is on it');
    await sandbox.slack.person('fin').presses(message, 'I have it');
    await privateMessage(sandbox, 'fin', 'That was asked of @bob, who can still take it over.');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, '@bob is on it');
    await reads(sandbox, 'Snoozed by @bob');
    expect(await reads(sandbox, /✅ @bob has it since .*, from @ana:/)).toContain('on it in #ops');
    await dmWith(sandbox, 'ana', '@bob has it since');
    // It says that it is over before it says for whom it was.
    for (const who of ['fin', 'ana']) {
      await sandbox.slack.person(who).presses(message, 'I have it', { version: 0 });
      await privateMessage(sandbox, who, 'That was taken over already.');
    }
    expect(await answerTo(sandbox, 'ana', '/lamplighter handover')).toBe('Nothing open is yours here.');
    expect(await answerTo(sandbox, 'bob', '/lamplighter handover')).toContain('on it in #ops');
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit @bob');
    expect(audit).toContain('take over web-1 (101) for @ana: done');
    expect(await answerTo(sandbox, 'bob', '/lamplighter story web-1')).toMatch(
      /🤝 @bob took over from @ana: web-1 \(101\)/,
    );
  });

  it('leaves what is over by then, and says so', async () => {
    const sandbox = await withAna();
    const message = await handsOver(sandbox);
    sandbox.hosting.changeStatus(101, 'running');
    await reads(sandbox, 'web-1 (101) is running again');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    expect(await reads(sandbox, 'Nothing moved from @ana to @bob.')).toContain("2 things didn't move");
    await dmWith(sandbox, 'ana', 'pressed I have it, and nothing moved');
  });

  it('keeps what the other may not have, without naming it to them', async () => {
    const sandbox = await withAdmin();
    const message = await handsOver(sandbox, 'admin');
    const text = sandbox.slack.read(message);
    expect(text).toContain('One thing stays with @admin, because @bob may not see or act on it.');
    expect(text).not.toContain('freeze of db-*');
    const own = await privateMessage(sandbox, 'admin', 'This stays yours in any case:');
    expect(sandbox.slack.read(own)).toContain('freeze of db-*: "migration". @bob may not see it');
    await sandbox.slack.person('bob').presses(message, 'Cancel');
    await privateMessage(sandbox, 'bob', 'Only @admin can cancel that.');
    await sandbox.slack.person('admin').presses(message, 'Cancel');
    await reads(sandbox, '@admin canceled this handover, so nothing moved.');
    await sandbox.slack.person('bob').presses(message, 'I have it', { version: 0 });
    await privateMessage(sandbox, 'bob', '@admin canceled that, so nothing was done.');
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('@admin is on it');
  });

  it('tells who handed over what is new since, and what the other may not have', async () => {
    const sandbox = await withAdmin();
    const message = await handsOver(sandbox, 'admin');
    await answersAs(
      sandbox,
      'admin',
      'web-1 (101) was stopped',
      'Snooze for four hours',
      'Snoozed by @admin',
    );
    await sandbox.slack.person('bob').presses(message, 'I have it');
    const told = sandbox.slack.read(await dmWith(sandbox, 'admin', '@bob has it since'));
    expect(told).toContain('Still yours: freeze of db-*: "migration". @bob may not see it or act on it.');
    expect(told).toContain('Still yours, and not part of this handover: snooze in #ops');
    expect(told.match(/freeze of db-/g)).toHaveLength(1);
  });

  it('leaves what whoever presses may not have any more', async () => {
    const sandbox = await withAna({ LAMPLIGHTER_EVERYONE: 'none' }, operatorsOf('web-*'));
    const message = await handsOver(sandbox);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @bob on web-*');
    await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @bob');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await privateMessage(sandbox, 'bob', 'nothing moved, and it can still be taken over');
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('@ana is on it');
    expect(sandbox.slack.read(message)).toContain('[ I have it ]');
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob on web-*');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, '@bob has it since');
  });

  it('to a group whose members may by their own grants alone reaches them', async () => {
    const sandbox = await withAna({ LAMPLIGHTER_EVERYONE: 'none' }, operatorsOf('web-*'));
    const message = await handsOver(sandbox, 'ana', '@oncall');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, '@bob has it since');
  });

  it('moves what they may have in the channel where it was offered, pressed in direct messages', async () => {
    const sandbox = await withAna({ LAMPLIGHTER_EVERYONE: 'viewer' }, operatorsOf('web-* in #ops'));
    await handsOver(sandbox);
    const asked = await dmWith(sandbox, 'bob', '@ana hands this over to you');
    await sandbox.slack.person('bob').presses(asked, 'I have it');
    await reads(sandbox, '✅ @bob has it since');
    await reads(sandbox, '@bob is on it');
  });

  it('of the same things a second time calls off the first, and says so', async () => {
    const sandbox = await withAna();
    const first = await handsOver(sandbox);
    await sandbox.slack.person('ana').types('#ops', '/lamplighter handover @admin');
    const said = await privateMessage(sandbox, 'ana', 'Asked @admin.');
    expect(sandbox.slack.read(said)).toContain('What you had asked @bob is called off');
    await reads(sandbox, '⚪ @ana hands this over to @admin instead, so nothing moved.');
    await dmWith(sandbox, 'bob', 'hands this over to @admin instead');
    await sandbox.slack.person('bob').presses(first, 'I have it', { version: 0 });
    await privateMessage(sandbox, 'bob', '@ana canceled that, so nothing was done.');
    await sandbox.slack.person('ana').types('#ops', '/lamplighter handover @admin');
    await reads(sandbox, '⚪ @ana asked @admin again in a newer message, so nothing moved by this one.');
    const second = await findCard(sandbox, '@admin, @ana hands this over to you');
    await sandbox.slack.person('admin').presses(second, 'I have it');
    await reads(sandbox, '@admin has it since');
  });

  it('reaches whom it is asked of in direct messages as well, where I can post nothing in the channel', async () => {
    const sandbox = await play({ isRefused: true, hosting: { powerMs: 20_000 } });
    const { slack } = sandbox;
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await reads(sandbox, 'Restarting web-1');
    const ops = slack.channel('#ops').id;
    // What @bob reads alone says the same, and may come first.
    slack.failNext(
      ({ method, args }) =>
        method === 'chat.postMessage' &&
        args['channel'] === ops &&
        String(args['text']).includes('hands this over to you'),
      { error: 'not_in_channel' },
    );
    await slack.person('ana').types('#ops', '/lamplighter handover @bob');
    const asked = await dmWith(sandbox, 'bob', '@ana hands this over to you');
    expect(slack.read(asked)).toMatch(/It stays @ana's unless someone presses I have it by /);
    await slack.person('bob').presses(asked, 'I have it');
    await dmWith(sandbox, 'bob', '✅ @bob has it since');
    expect(readAll(sandbox).join()).not.toContain('hands this over');
  });

  it('that nobody took in time says so at the press, and stays with who has it', async () => {
    const sandbox = await withAna();
    const message = await handsOver(sandbox);
    await expires(sandbox);
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await privateMessage(sandbox, 'bob', 'so nothing moved. @ana can hand it over again.');
    const over = await reads(sandbox, "so it is still @ana's.");
    expect(over).not.toContain('I have it');
  });

  it('asks what it asked before where it is carried out again after the press', async () => {
    const sandbox = await play({ bot: false });
    let isCut = false;
    let pressed = (): void => undefined;
    const isPressed = new Promise<void>((resolve) => (pressed = resolve));
    await sandbox.startBot(
      {},
      instead('requests', 'decide', async (own, ...asked) => {
        const [ask] = asked as Parameters<RequestStore['decide']>;
        if (isCut || ask.route !== 'lamplighter.handover' || ask.words.length === 0)
          return (own as RequestStore).decide(...(asked as Parameters<RequestStore['decide']>));
        isCut = true;
        await isPressed;
        throw new Error('Connection is closed.');
      }),
    );
    await setWatch(sandbox, 'name:web-*');
    sandbox.hosting.changeStatus(101, 'stopped');
    await answersAs(sandbox, 'ana', 'web-1 (101) was stopped', "I'm on it", '@ana is on it');
    const message = await handsOver(sandbox);
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, '@bob has it since');
    pressed();
    await privateMessage(sandbox, 'ana', 'Asked @bob.');
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana').join()).not.toContain('Nobody was asked');
  });

  it('moves a freeze to another admin, which says who froze and who has it', async () => {
    const sandbox = await withAdmin({ LAMPLIGHTER_EVERYONE: 'admin' });
    const message = await handsOver(sandbox, 'admin');
    await sandbox.slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, /✅ @bob has it since/);
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze')).toContain(
      '@admin froze db-* until an admin thaws it: "migration". @bob has it now.',
    );
  });

  it('of an operation and a batch has the other hear of the end', async () => {
    const sandbox = await play({ hosting: { powerMs: 6_000 } });
    const { slack } = sandbox;
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await reads(sandbox, 'Restarting web-1');
    await slack.person('ana').types('#ops', '/instances stop worker-1 db-1');
    await slack.person('ana').presses(await privateMessage(sandbox, 'ana', 'Stop 2'), 'Stop 2');
    await reads(sandbox, 'Stopping 2 instances');
    const message = await handsOver(sandbox);
    expect(slack.read(message)).toContain('web-1 (101) is restarting.');
    expect(slack.read(message)).toContain('Stopping 2 instances.');
    await slack.person('bob').presses(message, 'I have it');
    await reads(sandbox, /Restarting web-1 .*asked by @ana .* · @bob has it/);
    await reads(sandbox, /Stopping 2 instances, asked by @ana .* · @bob has it/);
    expect(await answerTo(sandbox, 'fin', '/lamplighter operations')).toContain('· @bob has it');
    await sandbox.settled();
    const said = readAll(sandbox);
    expect(said.filter((text) => text.startsWith('@bob '))).toHaveLength(2);
    expect(said.filter((text) => text.startsWith('@ana '))).toEqual([]);
  });

  it('by two of a group at once, it passes to one of them', async () => {
    const sandbox = await withAna();
    const message = await handsOver(sandbox, 'ana', '@oncall');
    expect(sandbox.slack.read(message)).toContain('🤝 @oncall, @ana hands this over to you:');
    await sandbox.slack.person('fin').presses(message, 'I have it');
    await privateMessage(sandbox, 'fin', "you aren't in it");
    await Promise.all(['bob', 'admin'].map((who) => sandbox.slack.person(who).presses(message, 'I have it')));
    await reads(sandbox, /✅ @(bob|admin) has it since/);
    await sandbox.settled();
    expect(readAll(sandbox).filter((text) => /@(bob|admin) is on it/.test(text))).toHaveLength(1);
  });

  it.each([
    ['@ana', "It's yours already."],
    ['bob', 'Who takes it over?'],
    ['@bob @fin', 'Who takes it over?'],
    ['@gone', "@gone is deactivated, so they can't take anything over."],
    ['@robot', "@robot is a bot, so they can't take anything over."],
    ['@guest', "@guest has no role here, so they can't take anything over."],
  ])('to "%s" asks nobody', async (whom, no) => {
    const sandbox = await withAna();
    expect(await answerTo(sandbox, 'ana', `/lamplighter handover ${whom}`)).toContain(no);
    expect(readAll(sandbox).join()).not.toContain('hands this over');
  });

  it('goes to their direct messages where it is asked in direct messages, and can be canceled there', async () => {
    const sandbox = await withAna();
    const { slack } = sandbox;
    await slack.person('ana').types('dm', 'handover @bob');
    const first = await dmWith(sandbox, 'bob', '@ana hands this over to you');
    expect(slack.read(first)).not.toContain('[ Cancel ]');
    await slack.person('ana').presses(await dmWith(sandbox, 'ana', 'Asked @bob.'), 'Cancel');
    await dmWith(sandbox, 'bob', '@ana canceled this handover');
    await slack.person('ana').types('dm', 'handover @bob');
    await slack
      .person('bob')
      .presses(await dmWith(sandbox, 'bob', '@ana hands this over to you'), 'I have it');
    await reads(sandbox, '@bob is on it');
    await dmWith(sandbox, 'ana', '@bob has it since');
    expect(readAll(sandbox).join()).not.toContain('hands this over');
  });

  it('becomes a button where it is said in a sentence', async () => {
    const sandbox = await withAna();
    await sandbox.slack.person('ana').mentions('#ops', 'hand everything over to @bob please');
    await sandbox.slack
      .person('ana')
      .presses(await privateMessage(sandbox, 'ana', 'handover @bob?'), 'Hand over to @bob');
    await findCard(sandbox, 'hands this over to you');
  });
});
