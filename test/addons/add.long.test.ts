import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import {
  addonCalls,
  answeredWith,
  botMessages,
  play,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

/** Types it as the admin and gives the question. */
async function asks(line: string, options: SandboxOptions = {}): Promise<[Sandbox, PostedMessage]> {
  const sandbox = await play(options);
  await sandbox.slack.person('admin').types('#ops', line);
  return [sandbox, await privateMessage(sandbox, 'admin', '[ Add it ] [ Cancel ]')];
}

/** Types it, confirms it, and gives the card's words in the end. */
async function adds(line: string, options: SandboxOptions = {}): Promise<[Sandbox, string]> {
  const [sandbox, question] = await asks(line, options);
  await sandbox.slack.person('admin').presses(question, 'Add it');
  await sandbox.settled();
  const [card, reply, ...more] = readAll(sandbox);
  expect(more).toEqual([]);
  expect(reply).toContain('@admin');
  return [sandbox, card!];
}

/** Types it and reads the no. */
async function refused(line: string, options: SandboxOptions = {}): Promise<string> {
  const sandbox = await play(options);
  await runToEnd(sandbox, 'admin', line);
  await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > 0);
  expect(readAll(sandbox)).toEqual([]);
  expect(addonCalls(sandbox, 'POST')).toBe(0);
  return privateTexts(sandbox, 'admin')[0]!;
}

const typesOf = (sandbox: Sandbox, id: number): string[] =>
  sandbox.hosting
    .addonsOf(id)
    .map(({ addon_type: type, tier }) => (tier === null ? type : `${type}/${tier}`));

describe('/addons add backup web-2', () => {
  it('shows what it will cost, and adds it once when that is confirmed', async () => {
    const [sandbox, question] = await asks('/addons add backup web-2 --because "before the move"');
    expect(sandbox.slack.read(question)).toBe(
      [
        'Add backup to web-2 (102)?',
        'Another backup costs 12 credits a day, so this one will most likely cost as much.',
        'Nothing has been done yet.',
        '[ Add it ] [ Cancel ]',
      ].join('\n'),
    );
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
    const admin = sandbox.slack.person('admin');
    await Promise.all(Array.from({ length: 20 }, () => admin.presses(question, 'Add it')));
    await sandbox.settled();
    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect(sandbox.slack.read(card!, 0)).toContain('⏳ Adding backup to web-2 (102), asked by @admin');
    expect(sandbox.slack.read(card!, 0)).not.toContain('Cancel');
    expect(sandbox.slack.read(card!)).toContain('✅ Added backup to web-2 (102) in');
    expect(sandbox.slack.read(card!)).toContain('Because: before the move');
    expect(reply!.thread_ts).toBe(card!.ts);
    expect(sandbox.slack.read(reply!)).toContain('@admin Added backup to web-2 (102)');
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    expect(typesOf(sandbox, 102)).toEqual(['backup']);
  });

  it('says where nobody can know what it costs', async () => {
    const [sandbox, question] = await asks('/addons add storage web-2');
    expect(sandbox.slack.read(question)).toContain("I can't tell the price in advance.");
    // The cost of another tier is no guess either.
    await sandbox.slack.person('admin').types('#ops', '/addons add llm web-2 --tier premium');
    const other = await privateMessage(sandbox, 'admin', 'Add llm (premium) to web-2 (102)?');
    expect(sandbox.slack.read(other)).toContain("I can't tell the price in advance.");
  });

  it.each([
    ['/addons add teleport web-2', 'teleport', 'addon_type is not known'],
    ['/addons add llm web-2 --tier huge', 'llm (huge)', 'tier is not known'],
  ])('is refused by the service where it has no such thing, in its words: %s', async (line, name, said) => {
    const [sandbox, card] = await adds(line);
    expect(card).toContain(`❌ Could not add ${name} to web-2 (102): the service refused.`);
    expect(card).toContain('The service said: "');
    expect(card.replace(/[^\w ]/g, '')).toContain(said);
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    expect(typesOf(sandbox, 102)).toEqual([]);
  });

  it('asks for nothing on a dry run', async () => {
    expect(await refused('/addons add backup web-2 --dry-run')).toBe(
      [
        'Would ask you and then add backup to web-2 (102). This was a dry run: nothing was done.',
        'Another backup costs 12 credits a day, so this one will most likely cost as much.',
      ].join('\n'),
    );
  });

  it('is answered in one line where it can not be', async () => {
    const sandbox = await play();
    for (const [words, answer] of [
      ['backup db-1', 'db-1 (105) has backup already. Nothing was done.'],
      ['llm web-1 --tier premium', 'web-1 (101) has llm (standard) already. Nothing was done.'],
      ['', 'Which instance do you want to add an add-on to?'],
      ['backup web-2 --size big', '--tier standard'],
      ['backup web-1 web-2', 'one instance at a time'],
    ] as const) {
      const said = await answeredWith(sandbox, 'admin', `/addons add ${words}`);
      expect(sandbox.slack.read(said)).toContain(answer);
    }
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
  });

  it('keeps the type, the tier and the reason through a picker', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/addons add llm we --tier premium --because “tests”');
    const picker = await privateMessage(sandbox, 'admin', 'Which one do you want to add llm to?');
    await admin.chooses(picker, 'addons.add', '102');
    const question = await privateMessage(sandbox, 'admin', 'Add llm (premium) to web-2 (102)?');
    await admin.presses(question, 'Add it');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Added llm (premium) to web-2 (102)');
    expect(readAll(sandbox)[0]).toContain('Because: tests');
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    expect(typesOf(sandbox, 102)).toEqual(['llm/premium']);
  });
});

describe('adding where something is in the way', () => {
  it('is asked once where two people confirm the same at once', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const people = ['ana', 'bob'];
    const questions: PostedMessage[] = [];
    for (const who of people) {
      await sandbox.slack.person(who).types('#ops', '/addons add backup web-2');
      questions.push(await privateMessage(sandbox, who, '[ Add it ]'));
    }
    const held = sandbox.hosting.hold({ method: 'POST' });
    await Promise.all(
      people.map((who, index) => sandbox.slack.person(who).presses(questions[index]!, 'Add it')),
    );
    await held.arrived;
    await sandbox.slack.until(() =>
      people.some((who) => privateTexts(sandbox, who).some((said) => said.includes('[ Tell me too ]'))),
    );
    held.release();
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(typesOf(sandbox, 102)).toEqual(['backup']);
  });

  it('asks for nothing where it is there already when it is confirmed', async () => {
    const [sandbox, question] = await asks('/addons add backup web-2');
    sandbox.hosting.addAddon(102, 'backup');
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await privateMessage(sandbox, 'admin', 'web-2 (102) has backup already. Nothing was done.');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('adds nothing to what was re-created under the name', async () => {
    const [sandbox, question] = await asks('/addons add backup web-2');
    sandbox.hosting.recreateInstance(102, 999);
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await privateMessage(sandbox, 'admin', 'web-2 (102) is gone already');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
  });

  it('adds nothing to what became another just before the call', async () => {
    const [sandbox, question] = await asks('/addons add backup web-2');
    const held = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/102$/ });
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await held.arrived;
    const last = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/102$/ });
    held.release();
    await last.arrived;
    sandbox.hosting.removeInstance(102);
    sandbox.hosting.addInstance('harbour', instance(102, 'web-2', { createdDaysAgo: 0 }));
    last.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not add backup to web-2 (102): a different instance has its id now',
    );
    expect(addonCalls(sandbox, 'POST')).toBe(0);
  });

  it('is too old to be confirmed after a while', async () => {
    const [sandbox, question] = await asks('/addons add backup web-2', { timings: { confirmWithinMs: -1 } });
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await privateMessage(sandbox, 'admin', 'That question about web-2 (102) has expired');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
  });
});

describe('an answer to adding that got lost', () => {
  it('is looked up and reported as done where it was', async () => {
    const [sandbox, card] = await adds('/addons add backup loses-answers');
    expect(card).toContain(
      "✅ Added backup to loses-answers (203): it was not in the list before my call and is now, though the service's answer was lost.",
    );
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    expect(typesOf(sandbox, 203)).toEqual(['backup']);
  });

  it.each(['loses-requests', 'says-503'])(
    'is never asked twice, and reported as unknown: %s',
    async (name) => {
      const [sandbox, card] = await adds(`/addons add backup ${name}`);
      expect(card).toMatch(/❔ backup on \S+ \(\d+\): unknown whether it will be added/);
      expect(card).toContain('Not retried, because twice would cost twice');
      expect(addonCalls(sandbox, 'POST')).toBe(1);
      expect(sandbox.hosting.addonsOf(name === 'says-503' ? 205 : 204)).toEqual([]);
    },
  );

  it('waits for its turn where the service says 429, and asks once more', async () => {
    const [sandbox, card] = await adds('/addons add backup says-429');
    expect(card).toContain('✅ Added backup to says-429 (209)');
    expect(addonCalls(sandbox, 'POST')).toBe(2);
    expect(typesOf(sandbox, 209)).toEqual(['backup']);
  });
});
