import { describe, expect, it } from 'vitest';
import { instead } from '../support/instead.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Its first `times` lookups of what happened before find Redis away. */
function pastIsAway(times: number): { readonly points: FaultPoints; readonly asked: () => number } {
  let asked = 0;
  const points = instead('past', 'read', (own, ...args) => {
    asked += 1;
    if (asked <= times) throw new Error("Stream isn't writeable and enableOfflineQueue options is false");
    return (own as { read: (...given: unknown[]) => unknown }).read(...args);
  });
  return { points, asked: () => asked };
}

async function playWith(points: FaultPoints): Promise<Sandbox> {
  const sandbox = await play({ bot: false });
  await sandbox.startBot({}, points);
  return sandbox;
}

describe('what was acknowledged, where Redis is away for a moment as the bot looks at it', () => {
  it('is done once Redis is back, and nobody reads of a fault', async () => {
    const { points, asked } = pastIsAway(2);
    const sandbox = await playWith(points);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(asked()).toBeGreaterThan(2);
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox).join('\n')).toContain('✅ Restarted web-1');
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });

  it('is done on a button as well, once', async () => {
    const { points } = pastIsAway(2);
    const sandbox = await playWith(points);
    const card = await answeredWith(sandbox, 'ana', '/instances show web-1');
    await sandbox.slack.person('ana').presses(card, 'Restart');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana').join('\n')).not.toContain('went wrong');
  });
});

it('a question that only reads is answered at once that the database is away', async () => {
  const away = (): never => {
    throw new Error('Redis gave no answer in time');
  };
  const sandbox = await playWith(instead('favorites', 'list', away));
  expect(await answerTo(sandbox, 'ana', '/instances favorites')).toBe(
    "Instances favorites: I can't reach my database right now. Try again in a minute.",
  );
});

it('a question that can neither be written down nor answered in time is not acknowledged in silence', async () => {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((done) => (release = done));
  const slow = instead('favorites', 'list', async (own, ...args) => {
    await isReleased;
    return (own as { read: (...given: unknown[]) => unknown }).read(...args);
  });
  const notAccepted = instead('requests', 'acceptRead', () => new Promise(() => undefined));
  const sandbox = await playWith((name, part) => notAccepted(name, slow(name, part)));
  expect(await answerTo(sandbox, 'ana', '/instances favorites')).toBe(
    "Instances favorites: I can't reach my database right now, and your answer is not ready yet. If it doesn't come within a minute, ask again.",
  );
  release();
  await sandbox.slack.until(
    () =>
      privateTexts(sandbox, 'ana').some((text) => text.includes('favorite')) &&
      privateTexts(sandbox, 'ana').length === 2,
  );
});
