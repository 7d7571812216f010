import { setImmediate as turn } from 'node:timers/promises';
import { createRandom } from '../../faults/random.ts';
import { createFarewells, type Farewells } from '../../src/core/watchdogs/farewell/keep.ts';
import { type FarewellRecord, FAREWELL } from '../../src/core/watchdogs/farewell/record.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { textBeside } from '../../src/platform/slack/message-text.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { createLog } from '../../src/platform/log/log.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const CHANNEL = 'C0ALERTS01';
const LOOK_EVERY = 5 * MINUTE;
const TICK = 5_000;
const SLACK_TIMEOUT = 5_000;
const REDIS_TIMEOUT = 1_000;

/** Time that passes only where somebody waits for it. */
class Time {
  now = Date.UTC(2026, 10, 27, 3);
  #count = 0;
  #waiting: { readonly at: number; readonly order: number; go(): void }[] = [];

  sleep(ms: number): Promise<void> {
    return new Promise((go) => {
      const one = { at: this.now + Math.max(0, ms), order: (this.#count += 1), go };
      const index = this.#waiting.findLastIndex(({ at }) => at <= one.at);
      this.#waiting.splice(index + 1, 0, one);
    });
  }

  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      await turn();
      const [next] = this.#waiting;
      if (!next || next.at > until) break;
      this.#waiting.shift();
      this.now = next.at;
      next.go();
    }
    this.now = until;
  }
}

interface Post {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  /** Unix ms. */
  readonly at: number;
  isListed: boolean;
  isRemoved: boolean;
}

interface Process {
  isDead: boolean;
  pausedUntil: number;
  readonly farewells: Farewells;
}

/** How much goes wrong: parts of all calls. */
export interface Faults {
  readonly lostAnswers: number;
  readonly notDone: number;
}

/**
 * Slack and Redis as the farewells see them, and the processes between the two, in a time of their own. Any call may be slow, fail, or be
 * done without its answer; a process may be killed or stand still between any two of its steps.
 */
export class Model {
  readonly time = new Time();
  readonly dice: () => number;
  readonly posted: Post[] = [];
  /** What the bot said once it was back, by its id. */
  readonly replies = new Map<string, string>();
  readonly processes: Process[] = [];
  isSlackDown = false;
  isRedisDown = false;
  #pending: Post[] = [];
  #record: FarewellRecord = FAREWELL.none;
  #lease: { owner: object; until: number } | undefined;
  #lookedAt = 0;
  #ids = 0;
  readonly #faults: Faults;

  constructor(seed: number, faults: Faults) {
    this.dice = createRandom(seed).next;
    this.#faults = faults;
    void this.#looks();
  }

  /** What would be posted if nobody did anything any more, the next first. */
  get pending(): readonly Post[] {
    this.#postDue();
    return this.#pending.toSorted((one, other) => one.at - other.at);
  }

  /** What stands in the channel. */
  get standing(): readonly Post[] {
    this.#postDue();
    return this.posted.filter(({ isRemoved }) => !isRemoved);
  }

  start(): Process {
    const process: Process = { isDead: false, pausedUntil: 0, farewells: this.#farewellsOf(() => process) };
    this.processes.push(process);
    void this.#leases(process);
    return process;
  }

  kill(process: Process): void {
    process.isDead = true;
    this.processes.splice(this.processes.indexOf(process), 1);
  }

  async stop(process: Process): Promise<void> {
    await process.farewells.stop();
    this.kill(process);
  }

  async #leases(process: Process): Promise<void> {
    while (!process.isDead) {
      await process.farewells.keep().catch(() => undefined);
      await this.time.sleep(TICK * (0.8 + 0.4 * this.dice()));
    }
  }

  /** The money is looked at by whichever process lives. */
  async #looks(): Promise<void> {
    for (;;) {
      if (this.processes.length > 0 && !this.isRedisDown) {
        this.#lookedAt = this.time.now;
        await this.time.sleep(LOOK_EVERY);
      } else await this.time.sleep(TICK);
    }
  }

  #postDue(): void {
    for (const one of this.#pending.filter(({ at }) => at <= this.time.now)) this.posted.push(one);
    this.#pending = this.#pending.filter(({ at }) => at > this.time.now);
  }

  /** A process goes on from here, or never. */
  async #gate(process: Process): Promise<void> {
    if (process.pausedUntil > this.time.now) await this.time.sleep(process.pausedUntil - this.time.now);
    if (process.isDead) await new Promise(() => undefined);
  }

  /** Does something at Slack on behalf of a process. */
  async #slack<T>(process: Process, act: () => T): Promise<T> {
    await this.#gate(process);
    const fate = this.dice();
    const { lostAnswers, notDone } = this.#faults;
    const lost = async (): Promise<never> => {
      await this.time.sleep(SLACK_TIMEOUT);
      await this.#gate(process);
      throw new SlackError('unreachable', { outcome: 'unknown' });
    };
    await this.time.sleep(20 + 200 * this.dice());
    if (this.isSlackDown || fate < notDone) return lost();
    this.#postDue();
    const [done, wasRefused] = tried(act);
    await this.time.sleep(20 + 200 * this.dice());
    if (this.isSlackDown || fate < notDone + lostAnswers) return lost();
    await this.#gate(process);
    if (wasRefused) throw wasRefused.error;
    return done as T;
  }

  async #redis<T>(process: Process, act: () => T): Promise<T> {
    await this.#gate(process);
    await this.time.sleep(1);
    const isLost = this.dice() < this.#faults.lostAnswers / 10;
    if (this.isRedisDown) await this.time.sleep(REDIS_TIMEOUT);
    const done = this.isRedisDown ? undefined : act();
    await this.time.sleep(1);
    await this.#gate(process);
    if (this.isRedisDown || isLost) throw new Error('redis: no answer');
    return done as T;
  }

  #farewellsOf(self: () => Process): Farewells {
    const { time } = this;
    const slack = <T>(act: () => T): Promise<T> => this.#slack(self(), act);
    const redis = <T>(act: () => T): Promise<T> => this.#redis(self(), act);
    const owner = {};
    return createFarewells({
      scheduledPosts: {
        schedule: ({ postAt }, message, key) =>
          slack(() => {
            if (postAt <= time.now) throw new SlackError('time_in_past', { outcome: 'not-done', dead: true });
            const id = `Q${(this.#ids += 1)}`;
            const text = textBeside(message);
            this.#pending.push({ id, key, text, at: postAt, isListed: true, isRemoved: false });
          }),
        list: () =>
          slack(() =>
            this.#pending
              .filter(({ isListed }) => isListed)
              .map(({ id, at, text }) => ({ id, channelId: CHANNEL, postAt: at, text })),
          ),
        cancel: ({ id }) =>
          slack(() => {
            const one = this.#pending.find((post) => post.id === id);
            if (!one || one.at - time.now <= MINUTE) return;
            if (one.at - time.now < 5 * MINUTE) one.isListed = false;
            else this.#pending = this.#pending.filter((post) => post !== one);
          }),
      },
      messenger: {
        findOnPage: (_address, key, { from, to }) =>
          slack(() => ({
            found: this.standing
              .filter((one) => one.key === key && one.at >= from && one.at <= to)
              .map(({ id }) => ({ channelId: CHANNEL, ts: id })),
            next: undefined,
          })),
        remove: ({ ts }) =>
          slack(() => {
            for (const one of this.posted) if (one.id === ts) one.isRemoved = true;
          }),
      },
      store: {
        get: () => redis(() => this.#record),
        change: (step) =>
          redis(() => {
            const next = step(this.#record);
            if (next) this.#record = next;
            return next;
          }),
        moving: () => Promise.reject(new Error('nothing is written beside it')),
      },
      alone: async (work) => {
        const isMine = await redis(() => {
          if (this.#lease && this.#lease.owner !== owner && this.#lease.until > time.now) return false;
          this.#lease = { owner, until: time.now + 45_000 };
          return true;
        });
        if (!isMine) return;
        try {
          await work();
        } finally {
          await redis(() => {
            if (this.#lease?.owner === owner) this.#lease = undefined;
          });
        }
      },
      speakers: [
        {
          lastWords: () =>
            redis(() => ({
              account: undefined,
              channelId: CHANNEL,
              isWatched: time.now - this.#lookedAt < 2 * LOOK_EVERY + MINUTE,
              what: 'the balance',
              figures: [say`4 days left`],
              open: [],
            })),
          outbox: {
            post: ({ id, to }) =>
              redis(() => {
                const under = 'threadTs' in to ? to.threadTs : undefined;
                if (!this.replies.has(id)) this.replies.set(id, under ?? '');
              }),
          },
        },
      ],
      marks: () => redis(() => ({ identity: 'identity-of-one', checks: (this.#ids += 1), connections: 1 })),
      now: () => time.now,
      timings: TIMINGS,
      log: createLog('silent', []),
    });
  }
}

function tried<T>(act: () => T): [T | undefined, { readonly error: unknown } | undefined] {
  try {
    return [act(), undefined];
  } catch (error) {
    return [undefined, { error }];
  }
}
