import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../service/service.ts';
import type { Stage } from './stage.ts';
import type { BotLife } from './bot-life.ts';
import type { Troubles } from './trouble.ts';
import { TOUR, type TourStep } from './wire.ts';

interface Scene {
  readonly sandbox: Stage;
  readonly bot: BotLife;
  readonly troubles: Troubles;
}

const WHERE = '#ops';
const MOMENT_MS = 700;
/** Time to look at what can be canceled. */
const LOOK_MS = 3_500;
const MODAL_LIMIT_MS = 10_000;
const DAYS_LEFT = 1.5;

/** The steps that there is something for at this service. */
export function stepsAt(service: Service): readonly TourStep[] {
  const isForceable = service.cast().stubborn !== undefined;
  return TOUR.filter((step) => (step === 'low' ? service.isPrepaid : step !== 'force' || isForceable));
}

/** Plays one step of the tour: what people do in it, and what goes wrong. Resolves when all of it is done, not ended. */
export async function playStep(stage: Scene, step: TourStep): Promise<void> {
  await STEPS[step](stage);
}

const STEPS: Readonly<Record<TourStep, (stage: Scene) => Promise<void>>> = {
  restart: async (stage) => types(stage, 'ana', `/instances restart ${nextRunning(stage)}`),
  twice: async (stage) => {
    const name = nextRunning(stage);
    await types(stage, 'ana', `/instances restart ${name}`);
    await wait(MOMENT_MS);
    await types(stage, 'bob', `/instances restart ${name}`);
  },
  lost: async (stage) => {
    await stage.troubles.cause('lose-answer');
    await types(stage, 'ana', `/instances restart ${nextRunning(stage)}`);
  },
  delete: deleteAndCancel,
  force: async (stage) => {
    const { stubborn } = stage.sandbox.service.cast();
    if (stubborn === undefined) throw new Error('Every instance here follows a stop.');
    await types(stage, 'ana', `/instances stop ${stubborn}`);
  },
  low: async ({ sandbox }) => {
    sandbox.service.leaveDays(DAYS_LEFT);
    // A look of a moment ago would be shown again.
    await sandbox.pass(0);
  },
  down: async (stage) => {
    await stage.sandbox.service.setApi('down');
    await types(stage, 'ana', '/instances');
  },
  kill: async (stage) => {
    await types(stage, 'ana', `/instances restart ${nextRunning(stage)}`);
    await wait(MOMENT_MS);
    await stage.troubles.cause('kill-bot');
  },
};

async function types({ sandbox }: Scene, who: string, line: string): Promise<void> {
  await sandbox.slack.person(who).types(WHERE, line);
}

/** Ana deletes an instance, and bob cancels it while he can. */
async function deleteAndCancel({ sandbox }: Scene): Promise<void> {
  const { slack, service } = sandbox;
  const ana = slack.person('ana');
  const { deleted: name } = service.cast();
  const before = ana.views.at(-1);
  await ana.types(WHERE, `/instances delete ${name}`);
  const modal = await slack.until(() => ana.views.at(-1) !== before && ana.views.at(-1), {
    timeoutMs: MODAL_LIMIT_MS,
  });
  await wait(MOMENT_MS);
  const field = modal.blocks.find((block) => block['type'] === 'input');
  // Without the account's name, which only tells which one is meant.
  const typed = name.split(':').at(-1) ?? name;
  await ana.submits(modal, { [String(field?.['block_id'])]: typed });
  const card = await slack.until(
    () =>
      slack
        .channel(WHERE)
        .messages.findLast((message) => JSON.stringify(message.blocks).includes('"Cancel"')),
    { timeoutMs: MODAL_LIMIT_MS },
  );
  await wait(LOOK_MS);
  await slack.person('bob').presses(card, 'Cancel');
}

/** Which instance each stage restarted last: one that was restarted a moment ago would be asked about first. */
const lastOf = new WeakMap<Stage, number>();

function nextRunning({ sandbox }: Scene): string {
  const { ordinary: running } = sandbox.service.cast();
  const turn = (lastOf.get(sandbox) ?? -1) + 1;
  lastOf.set(sandbox, turn);
  const name = running[turn % running.length];
  if (name === undefined) throw new Error('Nothing runs here that could be restarted.');
  return name;
}
