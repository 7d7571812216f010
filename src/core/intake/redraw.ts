import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { Access } from '../policy/access.ts';
import { Refusal } from '../refusal.ts';
import type { Log } from '../../platform/log/log.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { InFlight } from '../../platform/slack/in-flight.ts';
import type { Modal } from '../../platform/slack/message.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import type { Intake } from './intake.ts';
import type { RateLimit } from './rate-limit.ts';
import { modalIn, pickedBeside } from './filled.ts';
import { type pressSchema, whoActs } from './incoming.ts';
import type { PickOrder } from './pick-order-store.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import type { RouteTable } from './routes.ts';

export interface RedrawDeps {
  readonly routes: RouteTable;
  readonly access: Pick<Access, 'require'>;
  readonly intake: Pick<Intake, 'isFirst'>;
  readonly rateLimit: RateLimit;
  readonly pickOrder: PickOrder;
  readonly messenger: Pick<Messenger, 'updateModal'>;
  readonly inFlight: InFlight;
  readonly log: Log;
}

type Press = z.output<typeof pressSchema>;

/** Draws the modal again in which something was picked. It goes on after this resolves. */
export type Redraw = (
  press: Press,
  action: Press['actions'][number],
  identity: Pick<Ask, 'id' | 'askedAt'>,
) => Promise<void>;

/** Who picks twice at once waits for the first picture this often, and this long in all. */
const TRIES = 8;
const PAUSE_MS = 60;

/** An open modal: the pick that it is drawn for, and where it was asked for. */
interface Open {
  readonly viewId: string;
  readonly hash: string;
  readonly pickedAt: string;
  readonly place: Ask['place'];
}

/**
 * What is picked in a modal counts when it is submitted. Until then the modal shows what comes of it: of two picks the
 * later one, in whichever order they arrive.
 */
export function createRedraw(deps: RedrawDeps): Redraw {
  const { routes, intake, rateLimit, inFlight, log } = deps;
  return async (press, action, identity) => {
    const route = routes.byId.get(action.action_id);
    const carried = modalIn(press);
    const { id: viewId, hash } = press.view ?? {};
    const { action_ts: pickedAt } = action;
    if (!route?.redraw || !carried || viewId === undefined || hash === undefined || pickedAt === undefined)
      return;
    if (!(await intake.isFirst(identity.id))) return;
    // Each picture is read from the service again.
    if (await rateLimit.check(press.user.id)) return;
    const ask: Ask = {
      ...identity,
      route: route.id,
      words: [],
      value: carried.value,
      selected: [...(pickedBeside(press, action) ?? [])],
      actor: whoActs(press),
      place: carried.place,
      replaces: false,
    };
    const open = { viewId, hash, pickedAt, place: carried.place };
    void inFlight.run(() =>
      draw(deps, route, ask, open).catch((error: unknown) => {
        // The modal shows what came of the pick before; what is submitted is what is picked.
        if (error instanceof Refusal)
          log.info({ request: ask.id, code: error.code }, 'a modal stays as it was');
        else log.warn({ request: ask.id, error }, 'drawing a modal again');
      }),
    );
  };
}

async function draw(deps: RedrawDeps, route: Route, ask: Ask, open: Open): Promise<void> {
  const { pickOrder, access } = deps;
  if (!route.redraw || !(await pickOrder.takeLatest(open.viewId, open.pickedAt))) return;
  if (route.permission !== undefined)
    await access.require(ask.actor, route.permission, 'any', {
      channelId: ask.place.channelId,
      route: route.id,
    });
  await put(deps, await route.redraw(ask), open);
}

/** Puts a picture into the modal, unless one of a later pick is there or comes. */
async function put({ pickOrder, messenger }: RedrawDeps, modal: Modal, open: Open): Promise<void> {
  const { viewId, pickedAt, place } = open;
  let { hash } = open;
  for (let tries = 0; tries < TRIES; tries++) {
    if (!(await pickOrder.takeLatest(viewId, pickedAt))) return;
    try {
      await pickOrder.drawn(viewId, await messenger.updateModal(viewId, hash, modal, place));
      return;
    } catch (error) {
      const { code } = slackErrorOf(error);
      // Its person has closed it, or submitted what they picked.
      if (code === 'not_found') return;
      if (code !== 'hash_conflict') throw error;
    }
    // Another pick was drawn meanwhile. Its hash is known as soon as its call has ended.
    const known = await pickOrder.findHash(viewId);
    if (known === undefined || known === hash) await wait(PAUSE_MS);
    else hash = known;
  }
}
