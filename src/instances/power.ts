import { parseArgs } from 'node:util';
import { Refusal } from '../errors.ts';
import type { Ask, Reply, Route } from '../feature.ts';
import type { HostingService, Instance, Power } from '../hosting/service.ts';
import { busy } from '../operations/messages.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { Operation } from '../operations/operation.ts';
import type { Operations } from '../operations/operations.ts';
import { tooLate } from '../requests/messages.ts';
import type { Choice } from '../slack/message.ts';
import { ago, say } from '../slack/phrase.ts';
import { near } from './instance.ts';
import { choiceLabel, nameOf, powerRefused, wouldPower } from './messages.ts';
import { refusePower } from './power-rules.ts';
import { findOffer, resolveOffer, resolvePicked, resolveWords } from './resolve.ts';

export interface PowerDeps {
  readonly hosting: HostingService;
  readonly operations: Operations;
  readonly offers: OfferStore;
  /** The route of the button with which others follow an operation. */
  readonly followRoute: string;
}

const LONGEST_REASON = 300;
const MOST_TRIES = 3;
/** A slow service must not keep a picker empty; what is picked is read again by its id. */
const CHOICES_FRESH_MS = 15_000;

/** The route of start, stop or restart: find the one instance, may it, begin an operation. */
export function powerRoute(power: Power, deps: PowerDeps): Route {
  return {
    id: `instances.${power}`,
    verb: power,
    permission: 'instances:power',
    writes: true,
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: `${power} one instance`,
    handle: (ask) => requestPower(power, deps, ask),
    choices: (typed) => choicesFor(power, deps.hosting, typed),
  };
}

async function requestPower(power: Power, deps: PowerDeps, ask: Ask): Promise<Reply> {
  const { hosting, operations } = deps;
  const wish = parsePowerWords(power, ask.words);
  const instance = await resolve(power, deps, ask, wish.names).catch((error: unknown) => {
    throw wish.dryRun ? withoutPicker(error) : error;
  });
  // Asked first: while somebody's operation runs, who is on it says more than the status.
  refuseIfBusy(power, deps, await operations.findHolder(instance.id));
  await refuseUnlessPossible(power, hosting, instance);
  if (wish.dryRun) return { lines: [wouldPower(power, instance)] };

  for (let tries = 1; ; tries++) {
    const begun = await operations.begin(
      {
        id: ask.id,
        kind: `instances.${power}`,
        subject: subjectOf(instance),
        actor: ask.actor,
        place: ask.place,
        requestedAt: ask.askedAt,
        ...(wish.because === undefined ? {} : { because: wish.because }),
      },
      ask.value,
    );
    if (begun.result === 'begun') {
      if (!ask.replaces) return undefined;
      return {
        lines: [
          say`Asked to ${power} ${nameOf(instance)} ${ago(ask.askedAt)}. The card in the channel shows how it goes.`,
        ],
      };
    }
    if (begun.result === 'late') throw new Refusal('too-late', tooLate());
    // Revoked: the person has been told already that nothing was done.
    if (begun.result === 'gone') return undefined;
    const holder = await operations.find(begun.operationId);
    if (begun.result === 'used') {
      throw new Refusal(
        'button-used',
        say`That button has been used${holder ? [...say` `, ...say`${ago(holder.requestedAt)}`] : ''}. Ask anew if you want it once more.`,
      );
    }
    refuseIfBusy(power, deps, holder);
    // It ended this very moment, so the next try finds the instance free.
    if (tries === MOST_TRIES)
      throw new Refusal('busy', say`${nameOf(instance)} is busy just now, so nothing was done. Try again.`);
  }
}

/** A pick would be the real thing, so a dry run offers none. */
function withoutPicker(error: unknown): unknown {
  return error instanceof Refusal ? new Refusal(error.code, { lines: error.answer.lines }) : error;
}

/** The one instance that a button, a pick or words mean. Throws a Refusal. */
async function resolve(power: Power, deps: PowerDeps, ask: Ask, names: readonly string[]): Promise<Instance> {
  const { hosting, offers, operations } = deps;
  if (ask.value !== undefined) {
    return resolveOffer(hosting, power, await findOffer(ask.value, offers, operations.find));
  }
  return ask.picked === undefined ? resolveWords(hosting, power, names) : resolvePicked(hosting, ask.picked);
}

/** Throws a Refusal that names who is on it, while `holder` runs. */
function refuseIfBusy(power: Power, deps: PowerDeps, holder: Operation | undefined): void {
  if (!holder || holder.outcome) return;
  const kind = deps.operations.kindOf(holder);
  throw new Refusal('busy', busy(holder, kind, holder.kind === `instances.${power}`, deps.followRoute));
}

/** Throws a Refusal where the action is not possible, by the freshest word of the service. */
async function refuseUnlessPossible(power: Power, hosting: HostingService, listed: Instance): Promise<void> {
  if (refusePower(power, listed) === undefined) return;
  const instance = await hosting.findInstance(listed.id);
  if (!instance) throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more.`);
  const refusal = refusePower(power, instance);
  if (refusal !== undefined) throw new Refusal(refusal, powerRefused(power, instance, refusal));
}

function subjectOf(instance: Instance): {
  id: string;
  name: string;
  status: string;
  createdAt?: string;
  health?: string;
} {
  const { id, name, status, createdAt, health } = instance;
  return {
    id,
    name,
    status,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(health === undefined ? {} : { health }),
  };
}

/** Names and options of a power action. Throws a Refusal for an option there is none of. */
function parsePowerWords(
  power: Power,
  words: readonly string[],
): { names: readonly string[]; because: string | undefined; dryRun: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { because: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    });
    const because = values.because?.slice(0, LONGEST_REASON);
    return {
      names: positionals,
      because: because === '' ? undefined : because,
      dryRun: values['dry-run'] ?? false,
    };
  } catch {
    throw new Refusal(
      'bad-option',
      say`I can't read the options of that, so nothing was done. They are --because "why" and --dry-run, as in ${power} web-1 --because "new config".`,
    );
  }
}

async function choicesFor(power: Power, hosting: HostingService, typed: string): Promise<readonly Choice[]> {
  const { instances } = await hosting.listInstances({ freshMs: CHOICES_FRESH_MS });
  return near(typed.trim(), instances)
    .filter((instance) => refusePower(power, instance) === undefined)
    .map((instance) => ({ value: instance.id, label: choiceLabel(instance) }));
}
