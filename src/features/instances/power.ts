import type { Protection } from '../../core/policy/protection.ts';
import { fingerprintOf } from '../../core/confirmations/confirmation.ts';
import type { Confirmations } from '../../core/confirmations/confirmations.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import {
  type BeginDeps,
  beginOperation,
  refuseIfTaken,
  refuseIfUsed,
  subjectOf,
} from '../../core/operations/begin.ts';
import type { PastStore } from '../../core/operations/past-store.ts';
import { say } from '../../platform/slack/phrase.ts';
import { nameOf } from '../../core/lookup/messages.ts';
import { choicesOf, resolveAsk, resolveShown } from '../../core/lookup/resolve.ts';
import { parseWish } from '../../core/lookup/wish.ts';
import { type ReasonToAsk, whyAsk } from './confirm-rules.ts';
import { askFirst, powerButton, powerRefused, wouldPower } from './power-messages.ts';
import { refusePower } from './power-rules.ts';

export interface PowerDeps extends BeginDeps {
  readonly hosting: HostingService;
  readonly confirmations: Confirmations;
  readonly past: PastStore;
  readonly isProtected: Protection;
}

const SYNONYMS: Readonly<Record<Power, readonly string[]>> = {
  start: ['boot', 'launch', 'up', 'run', 'resume'],
  stop: ['halt', 'shutdown', 'down', 'pause', 'suspend'],
  restart: ['reboot', 'bounce', 'cycle', 'reload', 'reset'],
};

/** The route of start, stop or restart: find the one instance, may it, ask first where it must, begin an operation. */
export function powerRoute(power: Power, deps: PowerDeps): Route {
  return {
    id: `instances.${power}`,
    verb: power,
    synonyms: SYNONYMS[power],
    permission: 'instances:power',
    writes: true,
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: `${power} one instance`,
    handle: (ask) => requestPower(power, deps, ask),
    choices: (typed) =>
      choicesOf(deps.hosting, typed, (instance) => refusePower(power, instance) === undefined),
  };
}

async function requestPower(power: Power, deps: PowerDeps, ask: Ask): Promise<Reply> {
  const { hosting, confirmations } = deps;
  const verb = { verb: power, routeId: ask.route };
  const wish = parseWish(ask.words, `${power} web-1`);
  const confirmation = await confirmations.find(ask);
  const listed = confirmation
    ? await resolveShown(hosting, confirmation.instance)
    : await resolveAsk(deps, verb, ask, wish);
  // Asked first: while somebody's operation runs, who is on it says more than the status.
  await refuseIfTaken(deps, ask, { kind: ask.route, instanceId: listed.id });
  const instance = (await isJustChanged(deps, listed)) ? await readNow(hosting, listed) : listed;
  await refuseUnlessPossible(power, hosting, instance);

  const reasonToAsk = confirmation ? undefined : await whyAskFirst(power, deps, ask, instance);
  if (wish.dryRun) return { lines: [wouldPower(power, instance, reasonToAsk)] };
  const because = confirmation?.because ?? wish.because;
  const reason = because === undefined ? {} : { because };
  if (reasonToAsk) {
    // What was pressed once is used up, and asks nothing.
    await refuseIfUsed(deps, ask);
    const lines = askFirst(power, instance, reasonToAsk);
    const id = await confirmations.create(ask, {
      instance: fingerprintOf(instance),
      lines,
      offerId: ask.value,
      ...reason,
    });
    return { lines, buttons: [powerButton(power, id)] };
  }
  const pressed = confirmation
    ? { confirmationId: ask.value, offerId: confirmation.offerId }
    : { offerId: ask.value };
  return beginOperation(
    deps,
    ask,
    { kind: ask.route, subject: subjectOf(instance), what: say`${power} ${nameOf(instance)}`, ...reason },
    pressed,
  );
}

async function whyAskFirst(
  power: Power,
  deps: PowerDeps,
  ask: Ask,
  instance: Instance,
): Promise<ReasonToAsk | undefined> {
  const offer = ask.value === undefined ? undefined : await deps.offers.find(ask.value);
  return whyAsk(power, {
    isProtected: deps.isProtected(instance),
    past: await deps.past.list(instance.id, ask.askedAt),
    userId: ask.actor.userId,
    now: ask.askedAt,
    pickedTo: offer?.pickedTo,
  });
}

/** A list that others share may be this old, and a little more. */
const LIST_AGE_MS = 2_000;

/** Whether an operation ended so lately that the list may still show what was before it. */
async function isJustChanged({ past, clock }: PowerDeps, { id }: Instance): Promise<boolean> {
  const now = clock.now();
  const [latest] = await past.list(id, now);
  return latest !== undefined && now - latest.at < LIST_AGE_MS;
}

/** Throws a Refusal where it is gone. */
async function readNow(hosting: HostingService, listed: Instance): Promise<Instance> {
  const instance = await hosting.findInstance(listed.id);
  if (instance) return instance;
  throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more.`);
}

/** Throws a Refusal where the action is not possible, by the freshest word of the service. */
async function refuseUnlessPossible(power: Power, hosting: HostingService, listed: Instance): Promise<void> {
  if (refusePower(power, listed) === undefined) return;
  const instance = await readNow(hosting, listed);
  const refusal = refusePower(power, instance);
  if (refusal !== undefined) throw new Refusal(refusal, powerRefused(power, instance, refusal));
}
