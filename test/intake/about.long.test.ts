import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../src/core/intake/route.ts';
import { aboutOf, saying } from '../../src/core/intake/about.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';
import { instead } from '../support/instead.ts';
import { says } from '../sentences/says.ts';
import { answerTo, play, powerCalls, privateMessage } from '../support/sandbox.ts';

const SLACK_AWAY = (sandbox: Awaited<ReturnType<typeof play>>): void => {
  for (let times = 0; times < 3; times++) sandbox.slack.failNext('users.info', { error: 'internal_error' });
};

describe('a no says what it is about', () => {
  it('where Slack can not say who somebody is', async () => {
    const sandbox = await play();
    SLACK_AWAY(sandbox);
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1 --because "new config"')).toBe(
      "Restart web-1: I couldn't check your role with Slack, so nothing was done. Try again in a minute.",
    );
    SLACK_AWAY(sandbox);
    expect(await answerTo(sandbox, 'ana', '/instances')).toBe(
      "Instances list: I couldn't check your role with Slack. Try again in a minute.",
    );
    SLACK_AWAY(sandbox);
    expect(await answerTo(sandbox, 'ana', '/instances schedule')).toMatch(
      /^Instances schedule: I couldn't check your role with Slack/,
    );
  });

  it('by the names of what it names by ids', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    const reads = async (line: string): Promise<string> => says(sandbox, line, { who: 'ana' });
    expect(await reads('restart web-2 and then worker-1')).toMatch(
      /^Restart web-2 \(102\), worker-1 \(103\), one at a time: @admin froze everything/,
    );
    expect(await answerTo(sandbox, 'ana', '/instances schedule 102 restart once at yesterday')).toMatch(
      /^Schedule web-2 \(102\) restart once at yesterday: /,
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart 102 --becaus x')).toContain(
      '[ Restart web-2 (102) --because x ]',
    );
  });

  it('by nothing that its person may not see', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    expect(await says(sandbox, 'restart 102', { who: 'ana' })).toMatch(/^Restart 102: You need/);
  });

  it('where the hosting service fails, and a read does not say that nothing was done', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ path: /instances/ }, 500, Infinity);
    // A name that isn't listed is looked for in a list read now.
    const restart = await answerTo(sandbox, 'ana', '/instances restart new-1');
    expect(restart).toContain(
      'Restart new-1: The hosting service answered with an error (500), so nothing was done.',
    );
    const show = await answerTo(sandbox, 'ana', '/instances web-1');
    expect(show).toContain(
      'Show web-1: The hosting service answered with an error (500). The service said: "Something went wrong". Try again',
    );
  });

  it('where the service is silent, and where its answer can not be read', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ path: /instances/ }, { answer: 200, done: false, body: '<html>Hi</html>' });
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain(
      "Instances list: The hosting service gave an answer that I can't read.",
    );
    await sandbox.hosting.stop();
    expect(await answerTo(sandbox, 'ana', '/instances web-1')).toContain(
      'Show web-1: The hosting service does not answer right now. Try again in a minute.',
    );
    await sandbox.hosting.start();
  });

  it('where the bot may make no more calls to the service, with when it may', async () => {
    const sandbox = await play({ adapter: { limit: { requests: 4, seconds: 60 } } });
    let answer = '';
    for (let times = 0; times < 5 && !answer.startsWith('Instances'); times++) {
      answer = await answerTo(sandbox, 'ana', '/instances');
    }
    expect(answer).toMatch(
      /^Instances list: I'm at my limit of calls to the hosting service for another \d+ s \(until .+\)\. Request/,
    );
  });

  it('where it took too long, and where one person asks too much', async () => {
    const slow = await play({ timings: { acceptWithinMs: -1 } });
    expect(await answerTo(slow, 'ana', '/instances restart web-1')).toContain(
      'Restart web-1: It took me too long to get to what you asked for, so nothing was done.',
    );
    const strict = await play({ timings: { asksPerMinute: 1 } });
    await answerTo(strict, 'ana', '/instances web-1');
    expect(await answerTo(strict, 'ana', '/instances restart web-2')).toContain(
      "Restart web-2: That's too many requests in a minute",
    );
  });

  it('where a button was pressed, by the instance behind it', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'ana', '/instances web-1');
    const card = await privateMessage(sandbox, 'ana', 'web-1 (101) · running');
    sandbox.hosting.failNext({ path: /instances/ }, 500, Infinity);
    await sandbox.slack.person('ana').presses(card, 'Restart');
    await privateMessage(
      sandbox,
      'ana',
      'Restart web-1 (101): The hosting service answered with an error (500)',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('where the bot itself has a bug', async () => {
    const sandbox = await play();
    await sandbox.stopBots();
    const fails = (): never => {
      throw new TypeError('a bug');
    };
    await sandbox.startBot({}, instead('past', 'read', fails));
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
      'Restart web-1: Something went wrong on our side',
    );
  });

  it('where nobody can look now whether a word is a reference', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.slack.person('ana').types('#ops', '/instances show web-1');
    await sandbox.settled();
    await sandbox.redis!.kill();
    const { body } = await sandbox.slack.person('ana').types('#ops', '/instances show m-100031');
    expect(body).toContain("Show m-100031: I can't reach my database right now.");
    const { body: ofOne } = await sandbox.slack.person('ana').types('#ops', '/lamplighter 2rFsoy-o');
    expect(JSON.parse(ofOne)).toMatchObject({
      text: `"2rFsoy-o": I can't reach my database right now. Try again in a minute.`,
    });
    await sandbox.redis!.restart();
  });
});

it('whatever is typed, a no says all of it but the reason, on one line', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'B', '-', '<', '@', '\n', '*', '1'), minLength: 1 });
  const route = { id: 'boats.sink', verb: 'sink', usage: '' } satisfies Partial<Route>;
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 3 }), word, async (words, because) => {
      const ask = { words: [...words, '--because', `why ${because}`] };
      const about = await aboutOf(ask, route, 'boats', {
        subject: () => Promise.resolve(undefined),
        named: () => Promise.resolve([]),
      });
      const { lines } = saying(about, { lines: [say`No.`] }, true);
      const said = toPlainText(lines[0] ?? []);
      expect(lines).toHaveLength(1);
      expect(said).not.toContain('why');
      expect(said).not.toContain('\n');
      expect(said).toMatch(/^Sink .*: No\.$/);
    }),
  );
});
