import fc from 'fast-check';
import { expect, test } from 'vitest';
import { POWERS, type Power } from '../../src/platform/hosting/service.ts';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import { isPolled, polled } from '../../src/core/operations/polled.ts';
import { effectAt } from '../../src/core/operations/operations.ts';
import { nextMessageAt } from '../../src/core/operations/message-order.ts';
import { executionHappenings, handle, type Happening, leave, takeUp, worker } from './execution-commands.ts';
import { holdsTrue } from './invariants.ts';
import { operation, observed, timings, gapOf } from './operation.ts';
import { contentKeyOf, hear, reach, speakUp, messageHappenings } from './message-commands.ts';
import {
  type Bot,
  callOf,
  die,
  editsUnderWay,
  land,
  landsUntil,
  newTruth,
  type Truth,
  WORKERS,
} from './truth.ts';
import { powerKind } from '../support/kinds.ts';
import { noHosting } from '../support/no-hosting.ts';
import { runs } from '../support/runs.ts';

const RUNS = runs(2_000);
const MAX_STEPS = 40;

/** The kinds are asked to judge and to word, never to call. */
const nobody = noHosting();
const seconds = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0.1, 0.5, 1, 2, 7) },
  { weight: 2, arbitrary: fc.constantFrom(5, 13, 20) },
  { weight: 1, arbitrary: fc.constantFrom(40, 70, 310) },
);

const waiting: fc.Arbitrary<Happening> = fc.constant({
  name: 'time passes until something is due',
  happen: (truth, bot, kind) => {
    const at = dueAt(bot, kind);
    if (Number.isFinite(at)) truth.now = Math.max(truth.now, at);
  },
});

const common: readonly fc.Arbitrary<Happening>[] = [
  seconds.map((passed) => ({
    name: `${passed} s pass`,
    happen: (truth) => {
      truth.now += passed * 1_000;
    },
  })),
  waiting,
  fc.tuple(worker, fc.boolean()).map(([by, getsThrough]) => ({
    name: `${by} dies and another takes its place`,
    happen: (truth) => die(truth, by, getsThrough),
  })),
  fc.constantFrom('U2', 'U3').map((userId) => ({
    name: `${userId} wants to hear of the end`,
    happen: (_truth, bot) => {
      const { followers } = bot.record;
      if (bot.record.outcome) return;
      bot.record = { ...bot.record, followers: [...new Set([...followers, userId])] };
    },
  })),
];

/** When the bot has something to do next, looks included; infinity where nothing is. */
function dueAt(bot: Bot, kind: OperationKind): number {
  const { record } = bot;
  const looksAt = isPolled(record) ? record.execution.nextAt : Number.POSITIVE_INFINITY;
  return Math.min(
    effectAt(record, timings),
    nextMessageAt(record, contentKeyOf(record, kind), timings),
    looksAt,
  );
}

const TARGETS = { start: 'running', stop: 'stopped', restart: 'running' } as const;
const MAX_FAIR_STEPS = 100;

/** From here on everything goes well: one worker does what is due, every answer comes, the instance is as asked. */
function goWell(truth: Truth, bot: Bot, kind: OperationKind): void {
  for (const by of WORKERS) die(truth, by, true);
  for (let steps = 0; bot.record.closedAt === undefined; steps++) {
    expect(steps, 'steps to the end').toBeLessThan(MAX_FAIR_STEPS);
    const due = dueAt(bot, kind);
    expect(due, 'something is due').toBeLessThan(Number.POSITIVE_INFINITY);
    // What is still on its way to Slack comes as late as it can.
    for (const edit of editsUnderWay(truth)) if (landsUntil(edit) < due) land(truth, edit);
    truth.now = Math.max(truth.now, due);
    takeUp(truth, bot, 'one');
    const call = callOf(truth, 'one');
    if (call) {
      leave(truth, bot, call, true);
      handle(truth, bot, kind, call, { tells: 'taken', answer: {} }, undefined);
    }
    if (isPolled(bot.record) && bot.record.execution.nextAt <= truth.now) {
      const sight = observed(TARGETS[truth.power], { at: truth.now });
      truth.sights.push(sight);
      bot.record = polled(bot.record, kind, sight, truth.now, gapOf) ?? bot.record;
    }
    speakUp(truth, bot, kind, 'one');
    reach(truth, bot, 'one', true);
    hear(truth, bot, 'one', undefined, true);
    holdsTrue(truth, bot, contentKeyOf(bot.record, kind));
  }
}

function commandOf({ name, can, happen }: Happening, kind: OperationKind): fc.Command<Truth, Bot> {
  return {
    check: (truth) => can?.(truth) ?? true,
    run: (truth, bot) => {
      happen(truth, bot, kind);
      holdsTrue(truth, bot, contentKeyOf(bot.record, kind));
    },
    toString: () => name,
  };
}

test.each(POWERS)(
  'a %s is reported truthfully and once, whatever happens in whatever order',
  (power: Power) => {
    const sight = { observe: () => Promise.reject(new Error('a model does not poll')) };
    const kind = powerKind(power, { hosting: nobody, observer: sight, timings });
    // What moves things on comes up as often as what gets in the way.
    const happenings = [...common, ...executionHappenings, ...messageHappenings];
    happenings.push(waiting, waiting, ...executionHappenings.slice(0, 1), ...messageHappenings.slice(0, 1));
    const commands = fc.commands(
      happenings.map((arbitrary) => arbitrary.map((happening) => commandOf(happening, kind))),
      { maxCommands: MAX_STEPS, size: 'max' },
    );
    const health = fc.constantFrom(undefined, 'healthy', 'unhealthy');
    const before = fc.constantFrom('running', 'stopped', 'error', 'paused', 'unknown');
    fc.assert(
      fc.property(commands, before, health, (steps, status, healthBefore) => {
        const fresh = operation({ power, status });
        const subject = { ...fresh.subject, ...(healthBefore === undefined ? {} : { health: healthBefore }) };
        const truth = newTruth(power);
        const bot = { record: { ...fresh, subject } };
        fc.modelRun(() => ({ model: truth, real: bot }), steps);
        goWell(truth, bot, kind);
      }),
      { numRuns: RUNS },
    );
  },
);
