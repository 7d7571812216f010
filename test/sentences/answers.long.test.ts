import { describe, expect, it } from 'vitest';
import { answerIn } from '../../src/core/sentences/understood.ts';
import { play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { says } from './says.ts';

describe('somebody who answers in a word', () => {
  it.each(['yes', 'do it', 'ok yes', 'Yep!', 'go ahead'])('says yes: %s', (line) => {
    expect(answerIn(line)).toBe('yes');
  });

  it.each([
    'no',
    'nevermind',
    'cancel it',
    'no thanks',
    'oh no, cancel that please',
    'nvm',
    'nvm cancel',
    'no wait',
    'No \u2014 wait!',
    'stop, not that',
    'no stop',
    'don\u2019t',
    'dont do it',
    'actually scratch that',
    "don't, cancel it",
  ])('says no: %s', (line) => {
    expect(answerIn(line)).toBe('no');
  });

  it.each([
    'restart web-1',
    'cancel the restart of web-1',
    'yes restart web-1',
    'no web-1',
    'ok',
    'wait',
    'stop',
    'stop web-1',
    'not web-1',
    "don't restart web-1",
    "don't cancel it",
    'please don\u2019t cancel',
    'no wait, dont  cancel that',
    'do not abort',
    "don't just drop it",
    "don't forget it",
    'never ignore it',
    '',
  ])('says something else: %s', (line) => {
    expect(answerIn(line)).toBeUndefined();
  });

  it('begins nothing by a yes, and reads where to press', async () => {
    const sandbox = await play();
    await says(sandbox, 'could you reboot web-1 please');
    expect(await says(sandbox, 'yes')).toBe(
      'I begin nothing by a word alone. If I asked you something, press the button under it.',
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each(['cancel', 'nevermind', 'no'])(
    'reads by "%s" that nothing runs, and how a question ends',
    async (line) => {
      expect(await says(await play(), line)).toBe(
        'Nothing is in progress. If I asked you something, press Cancel under it: nothing begins until you answer.',
      );
    },
  );

  it('cancels by "cancel" the one question that is open here, and is shown several', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await admin.types('#ops', '/instances stop name:web-*');
    const asked = await privateMessage(sandbox, 'admin', 'web-2 (102)');
    await admin.types('#ops', '/instances delete web-2');
    await slack.until(() => admin.views.at(-1));
    expect(await says(sandbox, 'cancel')).toContain('[ Cancel: Delete web-2 ] [ Cancel: Stop name:web-* ]');
    const list = slack.channel('#ops').ephemeralFor('admin').at(-1)!;
    await admin.presses(list, 'Cancel: Delete web-2');
    await privateMessage(sandbox, 'admin', 'Canceled. Nothing was changed.');
    expect(await says(sandbox, 'forget it')).toBe('Canceled: Stop name:web-*. Nothing was done.');
    expect(await says(sandbox, 'cancel')).toContain('Nothing is in progress.');
    await admin.presses(asked, 'Stop 2');
    await privateMessage(sandbox, 'admin', 'You canceled that, so nothing was done.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('takes back by "cancel" what is still being looked up, and nothing of it is sent', async () => {
    const sandbox = await play();
    const { slack, hosting } = sandbox;
    hosting.failNext({ method: 'GET' }, { answer: 'as usual', done: true, delayMs: 1_000 }, 20);
    await slack.person('admin').types('#ops', '/instances restart web-2');
    expect(await says(sandbox, 'cancel')).toBe('Canceled "restart web-2" before anything was sent.');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox).join('\n')).not.toContain('Restart');
  });
});
