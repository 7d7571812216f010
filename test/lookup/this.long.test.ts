import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance } from '../../sandbox/world.ts';
import { confirms } from '../batches/fleet.ts';
import {
  answeredWith,
  botMessages,
  opensModal,
  play,
  type PlayOptions,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { findCard, setWatch } from '../watches/watching.ts';
import { askUntil } from '../support/until.ts';

/** A sandbox in which ana has stopped web-1, and its card. */
async function withCard(options: PlayOptions = {}): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await play(options);
  await runToEnd(sandbox, 'ana', '/instances stop web-1');
  const [card] = botMessages(sandbox);
  return { sandbox, card: card! };
}

/** Mentions the bot in the thread of a message, and gives what only that person reads then. */
async function says(
  sandbox: Sandbox,
  root: PostedMessage,
  words: string,
  who = 'ana',
): Promise<string | undefined> {
  const before = privateTexts(sandbox, who).length;
  await sandbox.slack.person(who).mentions('#ops', words, { thread: root.ts });
  await sandbox.settled();
  return privateTexts(sandbox, who).slice(before).at(-1);
}

/** The same once it is there. */
async function answerIn(sandbox: Sandbox, root: PostedMessage, words: string, who = 'ana'): Promise<string> {
  const before = privateTexts(sandbox, who).length;
  await sandbox.slack.person(who).mentions('#ops', words, { thread: root.ts });
  return sandbox.slack.until(() => privateTexts(sandbox, who).slice(before).at(-1));
}

describe('in the thread of a card, "this" is its instance:', () => {
  it.each(['start this', 'Start This.', 'instances start *this*'])('%s', async (words) => {
    const { sandbox, card } = await withCard();
    expect(await says(sandbox, card, `${words} --because "it is needed"`)).toBeUndefined();
    expect(powerCalls(sandbox)).toBe(2);
    const second = readAll(sandbox)[2];
    expect(second).toContain('Started web-1 (101)');
    expect(second).toContain('it is needed');
    expect(botMessages(sandbox)[2]!.thread_ts).toBe(card.ts);
  });

  it('restart this', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.changeStatus(101, 'running');
    expect(await says(sandbox, card, 'restart this')).toBeUndefined();
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('another instance of the same name is not meant, and no picker is needed', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.addInstance('harbour', instance(901, 'web-1'));
    expect(await says(sandbox, card, 'start this')).toBeUndefined();
    expect(sandbox.hosting.countCalls('POST', /\/101\/start$/)).toBe(1);
    expect(sandbox.hosting.countCalls('POST', /\/901\/start$/)).toBe(0);
  });

  it('and several names may hold it', async () => {
    const { sandbox, card } = await withCard();
    const preview = await answerIn(sandbox, card, 'start this staging');
    expect(preview).toContain('web-1 (101)');
    expect(preview).toContain('staging (104)');
  });

  it.each([
    ['show this', 'web-1 (101)'],
    ['instances this', 'web-1 (101)'],
    ['history this', 'web-1 (101)'],
    ['can restart this', 'Yes'],
    ['start this --dry-run', 'web-1 (101)'],
    ['addons list this', 'web-1 (101)'],
    ['schedule this stop at 20:00 UTC', 'web-1 (101)'],
  ])('%s', async (words, said) => {
    const { sandbox, card } = await withCard();
    expect(await answerIn(sandbox, card, words, 'admin')).toContain(said);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('watch this', async () => {
    const { sandbox, card } = await withCard();
    await sandbox.slack.person('admin').mentions('#ops', 'watch this', { thread: card.ts });
    await findCard(sandbox, 'Watching web-1');
  });

  it('delete this, which still asks for its name', async () => {
    const { sandbox, card } = await withCard();
    expect(await answerIn(sandbox, card, 'delete this', 'admin')).toContain('web-1 (101)');
    expect(sandbox.hosting.statusOf(101)).toBe('stopped');
  });

  it('the history of one that is gone', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.removeInstance(101);
    expect(await answerIn(sandbox, card, 'history this')).toContain('web-1 (101)');
  });

  it('on the card of an incident that a watch has found', async () => {
    const sandbox = await play();
    await setWatch(sandbox, 'name:web-*');
    sandbox.hosting.changeStatus(102, 'stopped');
    const card = await findCard(sandbox, /web-2 \(102\).*stopped/);
    await sandbox.slack.until(() => sandbox.slack.read(card).includes('[ Start'));
    await answeredUntil(sandbox, card, 'can start this', 'Yes');
    await sandbox.slack.person('ana').mentions('#ops', 'start this', { thread: card.ts });
    await sandbox.slack.until(() => powerCalls(sandbox, 'start') === 1);
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('POST', /\/102\/start$/)).toBe(1);
  });

  it('in a thread of people, where one card stands', async () => {
    const sandbox = await play();
    const { message } = await sandbox.slack.person('ana').types('#ops', 'web-1 feels slow');
    await says(sandbox, message!, 'stop web-1');
    expect(await says(sandbox, message!, 'start this')).toBeUndefined();
    expect(sandbox.hosting.countCalls('POST', /\/101\/start$/)).toBe(1);
  });

  it('and who may not do it is refused, and can ask for it by the id', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    await runToEnd(sandbox, 'admin', '/instances stop web-1');
    const [card] = botMessages(sandbox);
    expect(await answerIn(sandbox, card!, 'start this')).toContain('You need the operator role');
    expect(powerCalls(sandbox)).toBe(1);
    const admin = sandbox.slack.person('admin');
    await sandbox.slack
      .person('ana')
      .presses(sandbox.slack.channel('#ops').ephemeralFor('ana').at(-1)!, 'Ask them');
    const asked = await sandbox.slack.until(() =>
      admin.dms.find((one) => sandbox.slack.read(one).includes('asks')),
    );
    expect(sandbox.slack.read(asked)).toContain('start web-1 (101)');
  });
});

/** Asks again until the answer holds `words`: a card is known a moment after it is seen. */
async function answeredUntil(
  sandbox: Sandbox,
  root: PostedMessage,
  asked: string,
  words: string,
): Promise<void> {
  await askUntil(
    () => answerIn(sandbox, root, asked),
    (text) => text.includes(words),
  );
}

describe('"this" is refused', () => {
  it('on a card about several, which are named', async () => {
    const sandbox = await play();
    const preview = await answeredWith(sandbox, 'ana', '/instances stop web-1 web-2 worker-1');
    await confirms(sandbox, preview, 'Stop 3');
    await sandbox.settled();
    const [card] = botMessages(sandbox);
    const before = powerCalls(sandbox);
    const answer = await answerIn(sandbox, card!, 'start this');
    expect(answer).toContain('This thread is about several instances');
    for (const name of ['web-1 (101)', 'web-2 (102)', 'worker-1 (103)'])
      expect(answer).toContain(`[ Start ${name} ]`);
    expect(powerCalls(sandbox)).toBe(before);
  });

  it('on a board of more than it names', async () => {
    const sandbox = await play({ timings: { ownCards: 0 } });
    const names = ['web-1', 'web-2', 'worker-1', 'db-1', 'cart', '101'].slice(0, 4);
    await Promise.all(
      names.map((name) => sandbox.slack.person('ana').types('#ops', `/instances restart ${name}`)),
    );
    await sandbox.settled();
    const answer = await answerIn(sandbox, botMessages(sandbox)[0]!, 'restart this');
    expect(answer).toContain('This thread is about several instances');
    expect(powerCalls(sandbox)).toBe(4);
  });

  it('on a card about a group of incidents', async () => {
    const sandbox = await play();
    await setWatch(sandbox, 'name:web-*,worker-*,db-*,staging,breaks');
    // Three have a card each, and those after them one together, which begins with one.
    for (const id of [101, 102, 103]) sandbox.hosting.changeStatus(id, 'stopped');
    for (const id of [101, 102, 103]) await findCard(sandbox, `(${id}) was stopped`);
    sandbox.hosting.changeStatus(105, 'stopped');
    const card = await findCard(sandbox, 'db-1 (105)');
    await answeredUntil(sandbox, card, 'can start this', 'Yes');
    sandbox.hosting.changeStatus(202, 'stopped');
    await sandbox.slack.until(() => sandbox.slack.read(card).includes('breaks (202)'));
    await answeredUntil(sandbox, card, 'start this', 'several instances');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('outside of a thread, with what to type', async () => {
    const { sandbox } = await withCard();
    await sandbox.slack.person('ana').mentions('#ops', 'restart this');
    const answer = await sandbox.slack.until(() => privateTexts(sandbox, 'ana').at(-1));
    expect(answer).toContain(`I don't know which instance "this" is here, so nothing was done.`);
    const typed = await answeredWith(sandbox, 'ana', '/instances restart this');
    expect(sandbox.slack.read(typed)).toContain(`I don't know which instance "this" is here`);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('in a thread of people without a card, and in that of a card about no instance', async () => {
    const sandbox = await play();
    const { message } = await sandbox.slack.person('ana').types('#ops', 'lunch?');
    expect(await answerIn(sandbox, message!, 'restart this')).toContain(
      'I know of no instance that this thread is about',
    );
    await setWatch(sandbox, 'name:web-*');
    const hello = await findCard(sandbox, 'Watching name:web-*');
    expect(await answerIn(sandbox, hello, 'restart this')).toContain('I know of no instance');
  });

  it('where another instance has its id now', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.removeInstance(101);
    sandbox.hosting.addInstance('harbour', instance(101, 'web-1', { createdDaysAgo: 0 }));
    expect(await answerIn(sandbox, card, 'restart this')).toContain(
      'web-1 (101) has been renamed or replaced since this thread began, so nothing was done.',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('where its name was given to another, and where it is called otherwise', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.renameInstance(101, 'web-old');
    expect(await answerIn(sandbox, card, 'restart this')).toContain('has been renamed or replaced');
    sandbox.hosting.recreateInstance(101, 901);
    expect(await answerIn(sandbox, card, 'restart this')).toContain('web-1 (101) is gone already');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('where an instance or a favorite is called that as well', async () => {
    const { sandbox, card } = await withCard();
    sandbox.hosting.addInstance('harbour', instance(901, 'this'));
    const answer = await answerIn(sandbox, card, 'restart this');
    expect(answer).toContain('"this" may be web-1 (101)');
    expect(answer).toContain('this (901)');
    sandbox.hosting.removeInstance(901);
    await answeredWith(sandbox, 'ana', '/instances save this = name:web-*');
    expect(await answerIn(sandbox, card, 'restart this')).toContain('the favorite of that name');
    expect(powerCalls(sandbox)).toBe(1);
  });
});

describe('an instance that is called "this"', () => {
  it('is meant outside of a thread, and in one without a card', async () => {
    const sandbox = await play();
    sandbox.hosting.addInstance('harbour', instance(901, 'this'));
    await runToEnd(sandbox, 'ana', '/instances stop this');
    const { message } = await sandbox.slack.person('ana').types('#ops', 'lunch?');
    await says(sandbox, message!, 'start this');
    expect(sandbox.hosting.countCalls('POST', /\/901\/(start|stop)$/)).toBe(2);
  });

  it('is left alone where the word is a reason', async () => {
    const { sandbox, card } = await withCard();
    await says(sandbox, card, 'restart web-2 --because this');
    expect(sandbox.hosting.countCalls('POST', /\/102\/restart$/)).toBe(1);
  });
});

it('a modal is not opened for "delete this" where it is not the same any more', async () => {
  const { sandbox, card } = await withCard();
  sandbox.hosting.recreateInstance(101, 901);
  expect(await answerIn(sandbox, card, 'delete this', 'admin')).toContain('is gone already');
  expect(sandbox.slack.person('admin').views).toEqual([]);
  const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
  expect(modal).toBeDefined();
});
