import { describe, expect, it } from 'vitest';
import {
  answeredWith,
  answerTo,
  botMessages,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { playTwoAccounts, powerCallsTo } from './two-accounts.ts';

describe('two accounts with the same names and ids in one workspace', () => {
  it('are asked for by their names, and each card says whose it is', async () => {
    const two = await playTwoAccounts();
    await runToEnd(two.sandbox, 'ana', '/instances restart acme:web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 0 });
    await runToEnd(two.sandbox, 'ana', '/instances restart labs:web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 1 });
    const cards = readAll(two.sandbox);
    expect(cards.map((text) => text.split('\n')[0])).toEqual(['`acme`', '`acme`', '`labs`', '`labs`']);
  });

  it('are never guessed: without a name, or with both, the person is asked and nothing leaves', async () => {
    const two = await playTwoAccounts();
    const said = await answerTo(two.sandbox, 'ana', '/instances restart web-1');
    expect(said).toContain('Which account: acme or labs?');
    const both = await answerTo(two.sandbox, 'ana', '/instances restart acme:web-1 labs:web-2');
    expect(both).toContain('That names several accounts: acme, labs.');
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it('are asked by a button with the same line for each, a command and a sentence alike', async () => {
    const two = await playTwoAccounts();
    const { slack } = two.sandbox;
    const ana = slack.person('ana');
    const which = await answeredWith(two.sandbox, 'ana', '/instances restart web-1');
    await ana.presses(which, 'labs: Restart web-1');
    await slack.until(() => readAll(two.sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
    await ana.mentions('#ops', 'web-2 needs a reboot');
    const asked = await slack.until(() =>
      slack
        .channel('#ops')
        .ephemeralFor('ana')
        .findLast((one) => slack.read(one).includes('acme: Restart web-2 (102)')),
    );
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
    await ana.presses(asked, 'acme: Restart web-2 (102)');
    await slack.until(() => readAll(two.sandbox).some((text) => text.includes('Restarted web-2 (102)')));
    expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 1 });
  });

  it('what somebody gives as a reason names no account, so that it is never done at another', async () => {
    const two = await playTwoAccounts((idOf) => ({ acme: { default_in: [idOf('#ops')] } }));
    await runToEnd(two.sandbox, 'ana', '/instances restart web-1 --because "labs: asked for it"');
    await runToEnd(two.sandbox, 'ana', '/instances restart web-2 --because labs:down');
    expect(powerCallsTo(two)).toEqual({ acme: 2, labs: 0 });
    expect(readAll(two.sandbox).join('\n')).toContain('labs: asked for it');
  });

  it('help is there for a person who names none', async () => {
    const two = await playTwoAccounts();
    expect(await answerTo(two.sandbox, 'ana', '/lamplighter help')).toMatch(/^`acme`\n/);
  });

  it('a channel has its own, and another can be named', async () => {
    const two = await playTwoAccounts((idOf) => ({ labs: { default_in: [idOf('#ops')] } }));
    await runToEnd(two.sandbox, 'ana', '/instances restart web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
    await runToEnd(two.sandbox, 'ana', '/instances restart acme:web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 1 });
    expect(await answerTo(two.sandbox, 'ana', '/instances')).toMatch(/^`labs`\n/);
  });

  it('an account can only be reached from its channels, and is not known in others', async () => {
    const two = await playTwoAccounts((idOf) => ({ labs: { channels: [idOf('#billing')] } }));
    const said = await answerTo(two.sandbox, 'ana', '/instances restart labs:web-1');
    expect(said).toContain('labs:web-1');
    await two.sandbox.settled();
    await runToEnd(two.sandbox, 'ana', '/instances restart web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 1, labs: 0 });
    expect(readAll(two.sandbox).every((text) => text.startsWith('`acme`\n'))).toBe(true);
  });

  it('a mention is about the account that it names, or of the card in whose thread it is', async () => {
    const two = await playTwoAccounts();
    await two.sandbox.slack.person('ana').mentions('#ops', 'restart labs:web-1');
    await two.sandbox.slack.until(() => readAll(two.sandbox).some((text) => text.includes('Restarted')));
    await two.sandbox.settled();
    const [card] = botMessages(two.sandbox);
    await two.sandbox.slack.person('ana').mentions('#ops', 'stop this', { thread: card?.ts });
    const question = await privateMessage(two.sandbox, 'ana', 'Stop web-1 (101)?');
    expect(two.sandbox.slack.read(question)).toMatch(/^`labs`\n/);
    await two.sandbox.slack.person('ana').presses(question, 'Stop');
    await two.sandbox.slack.until(() => powerCallsTo(two).labs === 2);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 2 });
  });

  it('a button is of its account, and does nothing from a place of another', async () => {
    const two = await playTwoAccounts((idOf) => ({
      acme: { default_in: [idOf('#ops')] },
      labs: { channels: [idOf('#billing')] },
    }));
    const ana = two.sandbox.slack.person('ana');
    await ana.types('#billing', '/instances labs:web-1');
    const shown = await two.sandbox.slack.until(() =>
      two.sandbox.slack.channel('#billing').ephemeralFor('ana').at(-1),
    );
    expect(two.sandbox.slack.read(shown)).toMatch(/^`labs`\n/);
    await ana.presses(shown, 'Restart');
    await two.sandbox.settled();
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
    expect(privateTexts(two.sandbox, 'ana')).toEqual([]);
  });
});
