import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/core/policy/access.ts';
import { instead } from '../support/instead.ts';
import {
  answeredWith,
  answerTo,
  play,
  playTogether,
  powerCalls,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';

const ADMIN = { LAMPLIGHTER_EVERYONE: 'admin' };

const together = playTogether({ env: ADMIN });
const asOperator = playTogether();

describe('help', () => {
  it('is a word after every command, every verb and every mention', async () => {
    const sandbox = await together();
    for (const [line, has, hasNot] of [
      ['/billing help', '/billing usage [by instance|addon]', '/instances'],
      ['/instances help', '/instances restart <name or id>', '/billing'],
      ['/addons help', '/addons remove <type or id>', '/instances restart'],
      ['/instances restart help', '/instances restart <name or id>', '/instances stop'],
      ['/instances restart web-1 --help', '/instances restart <name or id>', '/instances stop'],
      ['/instances stop -h', '/instances stop <name or id>', '/instances restart'],
      ['@lamplighter help billing', '/billing transactions', '/instances list'],
      ['@lamplighter restart --help', '/instances restart <name or id>', '/instances stop'],
      ['/lamplighter help reboot', '/instances restart <name or id>', '/instances stop'],
    ] as const) {
      const answer = await answerTo(sandbox, 'ana', line);
      expect(answer, line).toContain(has);
      expect(answer, line).not.toContain(hasNot);
    }
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('fits on one screen at first, with the six things that people do, and leads on by noun', async () => {
    const sandbox = await play({ env: ADMIN });
    const answer = await answeredWith(sandbox, 'ana', '/lamplighter help');
    const text = sandbox.slack.read(answer);
    expect(text.split('\n').filter((line) => line.startsWith('• '))).toHaveLength(6);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(90);
    await sandbox.slack.person('ana').presses(answer, 'More: billing');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'ana').some((one) => one.includes('/billing usage [by instance|addon]')),
    );
  });

  it('explains words below a verb, and what a filter is', async () => {
    const sandbox = await together();
    for (const [line, has] of [
      ['/lamplighter help alerts', '/billing alerts snooze 4h: snooze an open alert'],
      ['/lamplighter help set', '/billing alerts set warn 5d critical 2d: when to warn'],
      ['/billing alerts set --help', '/billing alerts set warn 5d critical 2d: when to warn'],
      ['/billing help digest', '/billing digest off: stop it'],
      ['/lamplighter help filters', 'a space is AND, a comma is OR, a leading - is NOT'],
    ] as const) {
      expect(await answerTo(sandbox, 'ana', line), line).toContain(has);
    }
    expect(await answerTo(sandbox, 'ana', '/lamplighter help set')).not.toContain('snooze');
    expect(await answerTo(sandbox, 'ana', '/instances help')).not.toContain('tier:pro');
  });

  it('shows only what a viewer may do, and says what else there is and for whom', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const answer = await answerTo(sandbox, 'ana', '/instances help');
    expect(answer).toContain('/instances show <name or id>');
    expect(answer).not.toContain('/instances restart');
    expect(answer).toContain(
      'Not with your role: instances start, stop, restart, watch, unwatch (operator); instances delete (admin).',
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart --help')).toContain(
      'You need the operator role to start, stop or restart instances.',
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter help set')).toContain('You need the finance role');
  });

  it('says what each person may do, whoever asked before, and what they may do since', async () => {
    const sandbox = await play({ env: { ...ADMIN, LAMPLIGHTER_EVERYONE: 'viewer' } });
    const help = (who: string): Promise<string> => answerTo(sandbox, who, '/instances help');
    expect(await help('admin')).toContain('/instances restart');
    expect(await help('ana')).not.toContain('/instances restart');
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant operator @ana');
    await sandbox.slack.until(() => sandbox.slack.person('ana').dms.length > 0);
    expect(await help('ana')).toContain('/instances restart');
    expect(await help('bob')).not.toContain('/instances restart');
  });

  it('takes words between quotation marks for one, whatever was asked before', async () => {
    const sandbox = await asOperator();
    expect(await answerTo(sandbox, 'ana', '/lamplighter help instances stop')).toContain('/instances stop');
    expect(await answerTo(sandbox, 'ana', '/lamplighter help "instances stop"')).toContain(
      'There is no help about "instances stop".',
    );
  });

  it('says that there is no help about a word, and what was meant', async () => {
    const sandbox = await asOperator();
    expect(await answerTo(sandbox, 'ana', '/lamplighter help filtres')).toContain(
      'There is no help about "filtres". Did you mean filters?',
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter help xyzzy')).toContain(
      'There is no help about "xyzzy". There is help about instances, addons, billing, lamplighter',
    );
  });
});

describe('an answer that the bot knows', () => {
  it('comes with the acknowledgement of a command: nothing is posted, and nothing written down', async () => {
    const sandbox = await play({ env: ADMIN });
    const before = sandbox.slack.calls.length;
    const interaction = await sandbox.slack.person('ana').types('#ops', '/instances help');
    expect(interaction.body).toContain('/instances restart');
    const called = sandbox.slack.calls.slice(before).map(({ method }) => method);
    expect(called.filter((method) => method !== 'users.info')).toEqual([]);
  });

  it('follows once it is ready where that takes long, and comes once', async () => {
    const sandbox = await play({ bot: false, env: ADMIN, timings: { writeDownWithinMs: 500 } });
    let acknowledge = (): void => undefined;
    const acknowledged = new Promise<void>((done) => void (acknowledge = done));
    await sandbox.startBot(
      {},
      instead('access', 'checkEach', async (own, ...asked) => {
        await acknowledged;
        return (own as Access).checkEach(...(asked as Parameters<Access['checkEach']>));
      }),
    );
    const interaction = await sandbox.slack.person('ana').types('#ops', '/instances help');
    expect(interaction.body).toBe('');
    acknowledge();
    await sandbox.settled();
    await sandbox.stopBots();
    expect(privateTexts(sandbox, 'ana').filter((text) => text.includes('/instances restart'))).toHaveLength(
      1,
    );
  });
});

describe('a verb that there is none of', () => {
  it('is offered as what it means, or answered with the verbs there are, and nothing is done', async () => {
    const sandbox = await together();
    for (const [line, answer] of [
      ['/instances reboot web-1', '[ Restart web-1 (101) ]'],
      ['/instances kill web-1', '[ Stop web-1 (101) ]'],
      ['/instances restrat web-1', '[ Restart web-1 (101) ]'],
      ['/billing hlep alerts', 'I don\'t know "hlep". Did you mean help?'],
      ['@lamplighter reboot web-1', '[ Restart web-1 (101) ]'],
      [
        '/instances polish web-1',
        'I don\'t know an instance called "polish web-1" or a command called "polish". The commands are list, show, ',
      ],
      ['/lamplighter restart web-1', '[ Restart web-1 (101) ]'],
      ['/addons restart web-1', '[ Restart web-1 (101) ]'],
      ['/addons polish web-1', 'I read that as "show web-1", without "polish".'],
      ['/addons polish', 'The commands are list, add, remove and help.'],
      ['/billing polish', `I don't know "polish". The commands are balance, `],
    ] as const) {
      expect(await answerTo(sandbox, 'ana', line), line).toContain(answer);
    }
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('may be an instance where it is one word: both are offered', async () => {
    const sandbox = await asOperator();
    expect(await answerTo(sandbox, 'ana', '/instances web-1')).toContain('web-1 (101) · running');
    const answer = await answerTo(sandbox, 'ana', '/instances polish');
    expect(answer).toContain('There is no instance "polish".');
    expect(answer).toContain('The commands are list, show, start,');
    expect(await answerTo(sandbox, 'ana', '/instances reboot')).toContain('Pick an instance to restart');
    expect(await answerTo(sandbox, 'ana', '/instances halp')).toContain('Did you mean help?');
  });
});
