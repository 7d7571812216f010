import { letPass } from '../../sandbox/phrases/due-schedule.ts';
import { describe, expect, it } from 'vitest';
import {
  answerTo,
  botMessages,
  play,
  playTogether,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

describe('/instances restart web-1', () => {
  it('shows one card, edits it to its end and mentions the asker once in its thread', async () => {
    const sandbox = await play();
    const interaction = await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    expect(interaction.status).toBe(200);
    expect(interaction.body).toBe('');
    await sandbox.settled();

    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect(sandbox.slack.read(card!, 0)).toContain('Restarting web-1 (101), asked by @ana');
    expect(sandbox.slack.read(card!)).toContain('Restarted web-1 (101): it is running again');
    expect(sandbox.slack.read(card!)).not.toContain('[');
    expect(card!.edits.length).toBeGreaterThan(0);
    expect(reply!.thread_ts).toBe(card!.ts);
    expect(sandbox.slack.read(reply!)).toContain('@ana Restarted web-1 (101)');
    expect(powerCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });

  it('is acknowledged while the hosting service has not answered yet', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'POST' });
    const interaction = await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    expect(interaction.error).toBeUndefined();
    expect(interaction.status).toBe(200);
    await held.arrived;
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarting web-1'));
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('changes nothing on a dry run and says what it would do', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart web-1 —dry-run');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
    expect(privateTexts(sandbox, 'ana')).toEqual([
      'Would restart web-1 (101), which is running. This was a dry run: nothing was done.',
    ]);
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });
});

describe('an answer that got lost', () => {
  it('is never asked again for a restart, and what was seen is reported', async () => {
    const sandbox = await play({ hosting: { powerMs: 1_500 } });
    await runToEnd(sandbox, 'ana', '/instances restart loses-answers');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    expect(readAll(sandbox)[0]).toContain(
      "it went from running through restarting to running, though the service's answer was lost",
    );
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('is reported as unknown where nothing of the restart can be seen', async () => {
    const sandbox = await play({ hosting: { style: 'documented' } });
    await runToEnd(sandbox, 'ana', '/instances restart loses-answers');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    const [card, reply, ...more] = readAll(sandbox);
    expect(card).toContain(
      "loses-answers (203): unknown whether it restarted, because the service's answer was lost",
    );
    expect(card).toContain('Running now. Not retried.');
    expect(reply).toContain('@ana loses-answers (203): unknown whether');
    expect(more).toEqual([]);
  });

  it('is looked up before a stop is asked again', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances stop says-503');
    const calls = sandbox.hosting.calls
      .filter((call) => call.path.includes('/205'))
      .map((call) => `${call.method} ${call.status}`);
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual(['POST 503', 'POST 200']);
    expect(calls.slice(calls.indexOf('POST 503') + 1, calls.indexOf('POST 200'))).toContain('GET 200');
    expect(readAll(sandbox)[0]).toContain('Stopped says-503 (205)');
  });

  it('ends a stop that fails every time in words and after a few tries', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances stop always-503');
    expect(powerCalls(sandbox, 'stop')).toBe(3);
    expect(readAll(sandbox)[0]).toContain(
      '❔ always-503 (206): unknown whether it stopped, because the service answered with an error (503): "Something went wrong". Running now. Asked 3 times.',
    );
  });
});

describe('a start that lost its answer', () => {
  it('says that nothing can be seen of it where the instance runs as before', async () => {
    const sandbox = await play({ timings: { settleMs: 300 } });
    await runToEnd(sandbox, 'ana', '/instances start takes-anything');
    const [card] = readAll(sandbox);
    expect(card).toContain(
      "❔ takes-anything (221) is running, as it was before, and the service's answer was lost. I can't tell whether my start did anything.",
    );
    expect(card).toContain('[ Look again ] [ Try again ]');
    expect(powerCalls(sandbox, 'start')).toBe(1);
  });
});

describe('an instance that does not come up', () => {
  it('is watched, reported as slow, and given up on in words when it never starts', async () => {
    const sandbox = await play({ timings: { slowAfterMs: 60_000, patienceMs: 300_000 } });
    await sandbox.slack.person('ana').types('#ops', '/instances start never-starts');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports starting'));
    await letPass(sandbox, 60_000);
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('taking longer than usual'));
    // What can be done next stands on the card, for people who look at it meanwhile.
    const card = botMessages(sandbox)[0]!;
    await sandbox.slack.person('bob').presses(card, 'Show');
    await privateMessage(sandbox, 'bob', 'never-starts (201) · starting');
    await sandbox.slack.person('bob').presses(card, 'Keep me posted');
    await privateMessage(sandbox, 'bob', "I'll mention you");
    await letPass(sandbox, 300_000);
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('@ana @bob');
    expect(readAll(sandbox)[0]).toContain('never-starts (201) is still starting after');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is reported as gone when it vanishes on the way', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart gone-soon');
    expect(readAll(sandbox)[0]).toContain(
      'Could not restart gone-soon (210): there is no such instance any more',
    );
  });

  it('is reported as somebody else left it', async () => {
    const sandbox = await play({ hosting: { powerMs: 60_000 } });
    await sandbox.slack.person('ana').types('#ops', '/instances start staging');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports starting'));
    sandbox.hosting.changeStatus(104, 'paused');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      "Could not start staging (104): it is paused, and the service doesn't say why.",
    );
  });
});

describe('a power action that is not possible', () => {
  const together = playTogether();

  it.each([
    ['stop staging', 'staging (104) is stopped already. Nothing was done.'],
    ['start web-1', 'web-1 (101) is running already. Nothing was done.'],
    ['restart staging', 'Could not restart staging (104): it is stopped. Start it instead.'],
    [
      'start paused',
      "Could not start paused (208): it is paused, and the service doesn't say why. Look at it at the hosting service, then try again.",
    ],
    ['start needs-owner', 'Could not start needs-owner (214): it waits for its configuration.'],
  ])('%s is refused with what to do instead, to the asker alone', async (words, answer) => {
    const sandbox = await together();
    expect((await answerTo(sandbox, 'ana', `/instances ${words}`)).slice(0, answer.length)).toBe(answer);
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('a service that asks to wait', () => {
  it('waits for its turn where the service says 429, and tries again', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart says-429');
    expect(readAll(sandbox)[0]).toContain('Restarted says-429 (209)');
    expect(powerCalls(sandbox)).toBe(2);
  });
});
