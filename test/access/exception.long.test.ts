import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import {
  answeredWith,
  answerTo,
  deleteCalls,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';
import { dmWith, messageWith } from '../support/asking.ts';

const ASK = 'Ask for an exception';
const LINE = '/instances restart web-1 --because "it hangs"';

/** Everything is frozen, and somebody has asked for an exception. Gives its message. */
async function asked(sandbox: Sandbox, line = LINE): Promise<PostedMessage> {
  await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
  await asks(sandbox, line);
  return question(sandbox);
}

async function asks(sandbox: Sandbox, line = LINE, who = 'ana'): Promise<void> {
  const no = await answeredWith(sandbox, who, line);
  await sandbox.slack.person(who).presses(no, ASK);
}

function question(sandbox: Sandbox): Promise<PostedMessage> {
  return messageWith(sandbox, 'during a freeze');
}

const shows = (sandbox: Sandbox, message: PostedMessage, words: string): Promise<unknown> =>
  sandbox.slack.until(() => sandbox.slack.read(message).includes(words));

describe('during a freeze, an exception', () => {
  it('is asked of those who could make the change anyway, and does just that one change once', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const message = await asked(sandbox);
    await privateMessage(sandbox, 'ana', 'I asked for an exception in #ops. Nothing has been done yet.');
    expect(slack.read(message)).toMatch(
      /^🧊 @ana asks to restart web-1 \(101\) during a freeze\.\nBecause: it hangs\n@admin froze everything: "release 4\.2"\.\nAn admin can allow this one change before .+; everything else stays frozen\. Nothing has been done yet\.\n@admin, can you approve it\?\n\[ Approve \] \[ Refuse \] ⋯ \[ Cancel the request \]$/,
    );
    expect(powerCalls(sandbox)).toBe(0);
    await slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Restarted web-1');
    await shows(sandbox, message, '✅ Approved by @admin.');
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('Exception to the freeze "release 4.2".');
    await expect(slack.person('admin').presses(message, 'Approve')).rejects.toThrow('no "Approve" here');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit web-1')).toMatch(
      /@ana · restart web-1 \(101\): done · because "it hangs" · .* · approved by @admin · except from freeze "release 4\.2" of @admin/,
    );
    for (const line of [LINE, '/instances restart web-2'])
      expect(await answerTo(sandbox, 'ana', line)).toContain('@admin froze everything');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is not given by who asks for it, nor by somebody who could not make the change themselves', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const message = await asked(sandbox);
    await slack.person('ana').presses(message, 'Approve');
    await privateMessage(
      sandbox,
      'ana',
      'You asked for that yourself, so someone else must approve it. @admin can.',
    );
    for (const button of ['Approve', 'Refuse']) {
      await slack.person('bob').presses(message, button);
      await privateMessage(sandbox, 'bob', '@admin can end the freeze, or make the change anyway.');
    }
    await slack.person('guest').presses(message, 'Approve');
    await privateMessage(sandbox, 'guest', 'You need');
    await sandbox.settled();
    expect(slack.read(message)).toContain('Nothing has been done yet.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is refused by an admin, and its asker is told', async () => {
    const sandbox = await play();
    const message = await asked(sandbox);
    await sandbox.slack.person('admin').presses(message, 'Refuse');
    await shows(sandbox, message, '⛔ Refused by @admin. Nothing was done.');
    await messageWith(sandbox, '@ana, you asked to restart web-1 (101).');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not given by an admin to themselves either', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    await asks(sandbox, LINE, 'admin');
    const message = await question(sandbox);
    await slack.person('admin').presses(message, 'Approve');
    await privateMessage(sandbox, 'admin', 'You asked for that yourself');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('can not be asked for without the right to that instance', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @ana on web-*');
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    expect(await answerTo(sandbox, 'ana', '/instances restart db-1')).not.toContain(ASK);
    const no = await answeredWith(sandbox, 'ana', LINE);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @ana on web-*');
    await slack.person('ana').presses(no, ASK);
    await slack.until(() => privateTexts(sandbox, 'ana').join().includes('took your operator role back'));
    await sandbox.settled();
    expect(readAll(sandbox).join()).not.toContain('during a freeze');
  });

  it('is not begun once its asker has lost the right, and ends', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const message = await asked(sandbox);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    await shows(sandbox, message, 'no longer has the right to it');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('counts for no other freeze that was set meanwhile', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const message = await asked(sandbox);
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-* "database moves"');
    await slack.person('admin').presses(message, 'Approve');
    await privateMessage(sandbox, 'admin', 'froze web-*: "database moves". Nothing was done.');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is from all freezes that stand in the way when it is asked for', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-*,db-1 "database moves"');
    const message = await asked(sandbox);
    expect(sandbox.slack.read(message)).toContain(
      '@admin froze web-*: "database moves".\n@admin froze everything: "release 4.2".',
    );
    await sandbox.slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is not needed once the freeze is over: the asker reads so, with the change as a button', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    const no = await answeredWith(sandbox, 'ana', LINE);
    await answerTo(sandbox, 'admin', '/lamplighter thaw');
    await slack.person('ana').presses(no, ASK);
    const over = await privateMessage(sandbox, 'ana', "The freeze is over, so you don't need an exception.");
    expect(powerCalls(sandbox)).toBe(0);
    await slack.person('ana').presses(over, 'Restart web-1 (101)');
    await messageWith(sandbox, 'Restarted web-1');
    expect(readAll(sandbox).join('\n')).toContain('Because: it hangs');
  });

  it('that waits ends with the freeze, and its asker is told', async () => {
    const sandbox = await play();
    const message = await asked(sandbox);
    await answerTo(sandbox, 'admin', '/lamplighter thaw');
    await shows(sandbox, message, '⚪ The freeze is over, so this needs no exception.');
    await messageWith(sandbox, '@ana, you asked to restart web-1 (101).');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('expires, and its asker is told', async () => {
    const sandbox = await play({ timings: { approveWithinMs: 1, acceptWithinMs: 3_000 } });
    const message = await asked(sandbox);
    await sandbox.slack.person('admin').presses(message, 'Approve');
    await privateMessage(sandbox, 'admin', 'Nobody approved that in time, so nothing was done.');
    await shows(sandbox, message, '⚪ Nobody approved it in time.');
    await messageWith(sandbox, '@ana, you asked to restart web-1 (101).');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('needs one yes where the change must be approved as well', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_APPROVE: 'web-*', LAMPLIGHTER_EVERYONE: 'viewer' } });
    for (const who of ['@ana', '@bob'])
      await answerTo(sandbox, 'admin', `/lamplighter access grant operator ${who}`);
    const message = await asked(sandbox);
    // Somebody who could approve the change alone can't give the exception.
    expect(sandbox.slack.read(message)).toContain('\n@admin, can you approve it?');
    await sandbox.slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is another thing than an approval that waited for the same change before the freeze', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    await answerTo(sandbox, 'ana', '/instances restart web-1');
    await messageWith(sandbox, '🔐 @ana asks to restart web-1 (101).');
    const message = await asked(sandbox, '/instances restart web-1');
    await sandbox.slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('stands among what waits for the admins, and not for those who can not give it', async () => {
    const sandbox = await play();
    await asked(sandbox);
    const { slack } = sandbox;
    const homeOf = async (who: string): Promise<string> => {
      const person = slack.person(who);
      await person.opensHome();
      return slack.until(() => {
        const said = person.home && slack.readView(person.home);
        return said?.includes('instances:') ? said : undefined;
      });
    };
    expect(await homeOf('admin')).toContain('@ana asks to restart web-1 (101), in #ops');
    expect(await homeOf('bob')).not.toContain('asks to restart');
  });

  it('of a deletion is asked for once its name was typed, and a freeze that is set before it leaves stops it', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 1_500 } });
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    await answerTo(sandbox, 'admin', '/lamplighter access grant admin @ana');
    const no = await answeredWith(sandbox, 'ana', '/instances delete web-1');
    const ana = slack.person('ana');
    await ana.presses(no, ASK);
    const modal = await slack.until(() => ana.views.at(-1));
    await ana.submits(modal, { typed: 'web-1' });
    const message = await question(sandbox);
    expect(slack.read(message)).toContain('asks to delete web-1 (101) during a freeze.');
    await slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Deleting web-1');
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-1 "one more"');
    await messageWith(sandbox, 'instances were frozen before it was done');
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('does not count once who gave it is no admin any more', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter access grant admin @bob');
    const message = await asked(sandbox);
    // Nothing leaves before its card stands.
    const posting = slack.hold('chat.postMessage');
    await slack.person('bob').presses(message, 'Approve');
    await posting.arrived;
    await answerTo(sandbox, 'admin', '/lamplighter access revoke admin @bob');
    posting.release();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox).join('\n')).toContain('Did not restart web-1 (101): ');
  });

  it('can not be asked for where nobody else reads it', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    await sandbox.slack.person('ana').types('dm', '/instances restart web-1');
    const no = sandbox.slack.read(await dmWith(sandbox, 'ana', 'froze everything'));
    expect(no).toContain('In a channel, you can ask for an exception.');
    expect(no).not.toContain(ASK);
  });

  it('can be asked for each of several', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-* "release 4.2"');
    const none = await answeredWith(sandbox, 'ana', '/instances restart name:web-* --because "they hang"');
    expect(slack.read(none)).toContain(
      '[ Ask for an exception for web-1 ] [ Ask for an exception for web-2 ]',
    );
    await slack.person('ana').presses(none, 'Ask for an exception for web-2');
    const message = await question(sandbox);
    expect(slack.read(message)).toMatch(
      /asks to restart web-2 \(102\) during a freeze\.\nBecause: they hang/,
    );
    await slack.person('admin').presses(message, 'Approve');
    await messageWith(sandbox, 'Restarted web-2');
    expect(powerCalls(sandbox)).toBe(1);
  });
});
