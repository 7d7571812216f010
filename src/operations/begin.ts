import { Refusal } from '../errors.ts';
import type { Ask, Reply } from '../feature.ts';
import type { Instance } from '../hosting/service.ts';
import { tooLate } from '../requests/messages.ts';
import { ago, type Phrase, say } from '../slack/phrase.ts';
import { busy } from './messages.ts';
import { guardOf, type NewOperation, type Operation } from './operation.ts';
import type { Pressed } from './operation-store.ts';
import type { Operations } from './operations.ts';

export interface BeginDeps {
  readonly operations: Operations;
  /** The route of the button with which others follow an operation. */
  readonly followRoute: string;
}

/** What is to be begun, and how it is called in half a sentence: "restart web-1 (101)". */
export type Wanted = Pick<NewOperation, 'kind' | 'subject' | 'addon' | 'because' | 'graceMs'> & {
  readonly what: Phrase;
};

const MOST_TRIES = 3;

/**
 * Begins what `ask` asks for. Gives what its person reads alone: nothing, since the card says it, or a line in place of
 * what was pressed. Throws a Refusal where it can't be begun.
 */
export async function beginOperation(
  deps: BeginDeps,
  ask: Ask,
  wanted: Wanted,
  pressed: Pressed | undefined,
): Promise<Reply> {
  const { what, ...begin } = wanted;
  for (let tries = 1; ; tries++) {
    const begun = await deps.operations.begin(
      {
        ...begin,
        id: ask.id,
        actor: ask.actor,
        place: ask.place,
        requestedAt: ask.askedAt,
        ...(ask.responseUrl === undefined ? {} : { responseUrl: ask.responseUrl }),
      },
      pressed,
    );
    if (begun.result === 'begun') {
      if (!ask.replaces) return undefined;
      return {
        lines: [say`Asked to ${what} ${ago(ask.askedAt)}. The card in the channel shows how it goes.`],
      };
    }
    if (begun.result === 'late') throw new Refusal('too-late', tooLate());
    // Revoked: the person has been told already that nothing was done.
    if (begun.result === 'gone') return undefined;
    if (begun.result === 'unconfirmed') throw usedUp(undefined, pressed);
    const holder = await deps.operations.find(begun.operationId);
    if (begun.result === 'used') throw usedUp(holder, pressed);
    refuseIfBusy(deps, wanted.kind, holder);
    // It ended this very moment, so the next try finds the instance free.
    if (tries === MOST_TRIES)
      throw new Refusal(
        'busy',
        say`I could not ${what}: it is busy just now, so nothing was done. Try again.`,
      );
  }
}

/** What was pressed or confirmed has been used. */
export function usedUp(holder: Operation | undefined, pressed: Pressed | undefined): Refusal {
  const when = holder ? say` ${ago(holder.requestedAt)}` : say``;
  return new Refusal(
    'button-used',
    pressed && 'confirmationId' in pressed
      ? say`That was confirmed already${when}; its card shows how it goes.`
      : say`That button has been used${when}. Ask anew if you want it once more.`,
  );
}

/**
 * Throws a Refusal that names who is on it, while the instance, or its add-on of that type, is taken. Nothing is done to
 * the add-ons of an instance that is about to go.
 */
export async function refuseIfTaken(
  deps: BeginDeps,
  wanted: Pick<NewOperation, 'kind' | 'addon'> & { readonly instanceId: string },
): Promise<void> {
  const holder = await deps.operations.findHolder(guardOf(wanted.instanceId, wanted.addon));
  refuseIfBusy(deps, wanted.kind, holder);
  if (wanted.addon === undefined) return;
  const ofInstance = await deps.operations.findHolder(guardOf(wanted.instanceId));
  if (ofInstance?.graceMs !== undefined) refuseIfBusy(deps, wanted.kind, ofInstance);
}

function refuseIfBusy(deps: BeginDeps, kind: string, holder: Operation | undefined): void {
  if (!holder || holder.outcome) return;
  const isSame = holder.kind === kind;
  throw new Refusal('busy', busy(holder, deps.operations.kindOf(holder), isSame, deps.followRoute));
}

/** What an operation keeps of its instance. */
export function subjectOf({ id, name, status, createdAt, health }: Instance): Operation['subject'] {
  return {
    id,
    name,
    status,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(health === undefined ? {} : { health }),
  };
}
