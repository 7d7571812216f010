import { expect } from 'vitest';
import { HOUR, MINUTE, Model } from './farewell-model.ts';

const FAULTS = { lostAnswers: 0.05, notDone: 0.05 };

/** What came of a day on which processes are replaced by others all the time, and nobody is ever missing for long. */
export async function rollingRestarts(
  seed: number,
  forMs: number,
): Promise<{ posted: number; leastAheadMs: number; pushes: number }> {
  const model = new Model(seed, FAULTS);
  const { time, dice } = model;
  const until = time.now + forMs;
  model.start();
  let leastAheadMs = Number.POSITIVE_INFINITY;
  let last = 0;
  let pushes = 0;
  while (time.now < until) {
    await time.pass(1_000 * (1 + 40 * dice()));
    await disturb(model);
    const { at = 0 } = model.pending.at(-1) ?? {};
    if (time.now > until - forMs + 2 * MINUTE) leastAheadMs = Math.min(leastAheadMs, at - time.now);
    if (at !== last) pushes += 1;
    last = at;
  }
  return { posted: model.posted.length, leastAheadMs, pushes };
}

/** One thing that happens to a deployment that is not dead. */
async function disturb(model: Model): Promise<void> {
  const { dice, processes, time } = model;
  const one = processes[Math.floor(dice() * processes.length)];
  const what = dice();
  if (what < 0.1 && processes.length < 3) model.start();
  else if (what < 0.16 && one) model.kill(one);
  else if (what < 0.22 && one) await Promise.race([model.stop(one), time.pass(10_000)]);
  else if (what < 0.25 && one) one.pausedUntil = time.now + dice() * 15 * MINUTE;
  else if (what < 0.255) await outage(model, 'isSlackDown');
  else if (what < 0.26) await outage(model, 'isRedisDown');
  // A process that stands still is none.
  if (processes.every(({ pausedUntil }) => pausedUntil > time.now)) {
    await time.pass(dice() * MINUTE);
    model.start();
  }
}

async function outage(model: Model, which: 'isSlackDown' | 'isRedisDown'): Promise<void> {
  model[which] = true;
  await model.time.pass(model.dice() * 3 * MINUTE);
  model[which] = false;
}

export const DEATHS = ['every process is killed', 'Redis is gone', 'the network is gone'] as const;
type Death = (typeof DEATHS)[number];

/**
 * Everything of a kind dies at a random moment and is back a while later, once for each seed. Throws where what Slack posts then isn't as
 * promised; gives how many deaths there were in which one or two stood ahead, and how often it was two.
 */
export async function deaths(
  of: Death,
  seeds: readonly number[],
): Promise<{ readonly died: number; readonly twice: number }> {
  let twice = 0;
  for (const seed of seeds) {
    const model = new Model(seed, FAULTS);
    const left = await die(model, of);
    expect({ seed, isLeft: left === 1 || left === 2 }).toEqual({ seed, isLeft: true });
    if (left === 2) twice += 1;
    const diedAt = model.time.now;
    // Mostly for longer than it takes, and often not for much.
    await model.time.pass(model.dice() * 90 * MINUTE);
    const isSaid = model.time.now - diedAt >= 20 * MINUTE;
    const first = model.standing[0]?.at ?? Number.POSITIVE_INFINITY;
    if (isSaid) expect({ seed, isInTime: first - diedAt <= 20 * MINUTE }).toEqual({ seed, isInTime: true });
    if (model.time.now - diedAt > 26 * MINUTE)
      expect({ seed, stand: model.standing.length }).toEqual({ seed, stand: left });
    model.isRedisDown = false;
    model.isSlackDown = false;
    model.start();
    await model.time.pass(HOUR);
    const { standing, replies } = model;
    const once = standing.length === 0 ? [] : [standing[0]?.id];
    const seen = { stand: standing.map(({ id }) => id), replies: [...replies.values()] };
    expect({ seed, ...seen }).toEqual({ seed, stand: once, replies: once });
  }
  return { died: seeds.length, twice };
}

/** Gives how many stood ahead then. */
async function die(model: Model, of: Death): Promise<number> {
  const { time, dice } = model;
  model.start();
  model.start();
  await time.pass(10 * MINUTE + dice() * HOUR);
  // While one is pushed forward, more often than by chance.
  if (dice() < 0.7) {
    const before = model.pending.length;
    for (let looks = 0; looks < 5_000 && model.pending.length === before; looks += 1) await time.pass(100);
    await time.pass(dice() * 600);
  }
  if (of === 'every process is killed') for (const one of model.processes.slice()) model.kill(one);
  if (of === 'Redis is gone') model.isRedisDown = true;
  if (of === 'the network is gone') model.isSlackDown = true;
  // What was on its way arrives all the same.
  await time.pass(6_000);
  return model.pending.length;
}
