import { decidedAlready, noApproval } from '../approvals/messages.ts';
import { type Entry, entryOf } from '../audit/entry.ts';
import type { Access } from '../policy/access.ts';
import type { AccessRule } from '../policy/decide.ts';
import { ruleText } from '../policy/messages.ts';
import { Refusal } from '../refusal.ts';
import { noRoomBack } from './way-back.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { tooLate } from '../ask/messages.ts';
import { ago, type Phrase, say } from '../../platform/slack/phrase.ts';
import { busy } from './messages.ts';
import { CANCELED, wasCanceled } from '../offers/canceled.ts';
import { BUTTON_TOKENS } from '../offers/offers.ts';
import { lockOf, type NewOperation, type Operation } from './operation.ts';
import type { Pressed } from './write-begin.ts';
import type { Operating } from './operations.ts';

/** What is to be begun, and how it is called in half a sentence: "restart web-1 (101)". */
export type ToBegin = Pick<
  NewOperation,
  | 'kind'
  | 'subject'
  | 'args'
  | 'part'
  | 'because'
  | 'override'
  | 'approvedBy'
  | 'exceptFrom'
  | 'cancelWindowMs'
  | 'wayBack'
> & {
  readonly what: Phrase;
  /** What allows it. */
  readonly rule: AccessRule;
  /** What allows its approver to approve it. */
  readonly approving?: AccessRule;
};

const MAX_TRIES = 3;

/**
 * Begins what `ask` asks for. Gives what its person reads alone: nothing, since the card says it, or a line in place of
 * what was pressed. Throws a Refusal where it can't be begun.
 */
export async function beginOperation(
  deps: Operating,
  ask: Ask,
  wanted: ToBegin,
  pressed: Pressed,
): Promise<Reply> {
  const { what, rule, approving, ...begin } = wanted;
  const { subject, args, because, override, approvedBy, exceptFrom } = begin;
  const entry = entryOf(ask, 'asked', deps.clock.now(), {
    // What is done, and not what was pressed for it.
    route: begin.kind,
    target: { id: subject.id, name: subject.name },
    args,
    rule: ruleText(rule),
    because,
    override,
    approvedBy,
    exceptFrom: exceptFrom?.map(({ by, why }) => `freeze "${why}" of ${by}`).join(', '),
  });
  const { buttonTokenId } = pressed;
  const isOfCard = buttonTokenId !== undefined && (await deps.operations.find(buttonTokenId)) !== undefined;
  const usesButtonOf = isOfCard ? { usesButtonOf: buttonTokenId } : {};
  const operation = {
    ...begin,
    ...usesButtonOf,
    id: ask.id,
    actor: ask.actor,
    place: ask.place,
    requestedAt: ask.askedAt,
    ...(ask.queuedUntil === undefined ? {} : { dequeuedAt: ask.queuedUntil }),
    ...(ask.responseUrl === undefined ? {} : { responseUrl: ask.responseUrl }),
  };
  const using = (): ReturnType<Access['using']> => deps.access.using([rule, approving], ask.id);
  return beginOnce(deps, ask, { operation, what, entry }, { ...pressed, using });
}

async function beginOnce(
  deps: Operating,
  ask: Ask,
  { operation, what, entry }: { operation: NewOperation; what: Phrase; entry: Entry },
  pressed: Pressed,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const begun = await deps.operations.begin(operation, pressed, entry);
    if (begun.result === 'begun') {
      if (!ask.replaces) return undefined;
      return {
        lines: [say`Asked to ${what} ${ago(ask.askedAt)}. The card in the channel shows the progress.`],
      };
    }
    if (begun.result === 'late') throw new Refusal('too-late', tooLate());
    // Revoked or canceled: the person has read already that nothing was done.
    if (begun.result === 'gone') return undefined;
    if (begun.result === 'decided') throw new Refusal('over', decidedAlready(begun.decided));
    if (begun.result === 'unconfirmed' && pressed.approvalId !== undefined)
      throw new Refusal('gone', noApproval());
    if (begun.result === 'unconfirmed') throw usedUp(undefined, pressed);
    if (begun.result === 'used' && begun.operationId === CANCELED) throw wasCanceled();
    if (begun.result === 'full') throw noRoomBack();
    if (begun.result === 'overtaken') throw overtaken(what);
    const holder = await deps.operations.find(begun.operationId);
    if (begun.result === 'used') throw usedUp(holder, pressed);
    refuseIfBusy(deps, ask, operation.kind, holder);
    // It ended this very moment, so the next try finds the instance free.
    if (tries === MAX_TRIES)
      throw new Refusal(
        'busy',
        say`I couldn't ${what}: it is busy right now, so nothing was done. Try again.`,
      );
  }
}

/** Somebody else was faster than who read what was done with it before. */
function overtaken(what: Phrase): Refusal {
  return new Refusal(
    'changed',
    say`I didn't ${what}, because it was changed a moment ago by somebody else's request. Ask again if you still want it.`,
  );
}

/** What was pressed or confirmed has been used. */
function usedUp(holder: Operation | undefined, { confirmationId }: Pressed): Refusal {
  const when = holder ? say` ${ago(holder.requestedAt)}` : say``;
  return new Refusal(
    'button-used',
    confirmationId === undefined
      ? say`That button has been used${when}. Ask again if you want it once more.`
      : say`That was confirmed already${when}; its card shows the progress.`,
  );
}

/** Throws a Refusal where the button that was pressed has begun an operation: it asks nothing any more. */
export async function refuseIfUsed(
  { offers, operations }: Operating,
  ask: Pick<Ask, 'value'>,
): Promise<void> {
  if (ask.value === undefined) return;
  const { usedBy } = await offers.find(BUTTON_TOKENS, ask.value);
  if (usedBy !== undefined) throw usedUp(await operations.find(usedBy), { buttonTokenId: ask.value });
}

/**
 * Throws a Refusal that names who is on it, while the instance, or the part of it, is taken. Nothing is done to a part of
 * an instance that is about to go.
 */
export async function refuseIfTaken(
  deps: Operating,
  ask: Ask,
  wanted: Pick<NewOperation, 'kind' | 'part'> & { readonly instanceId: string },
): Promise<void> {
  const holder = await deps.operations.findHolder(lockOf(wanted.instanceId, wanted.part));
  refuseIfBusy(deps, ask, wanted.kind, holder);
  if (wanted.part === undefined) return;
  const ofInstance = await deps.operations.findHolder(lockOf(wanted.instanceId));
  if (ofInstance?.cancelWindowMs !== undefined) refuseIfBusy(deps, ask, wanted.kind, ofInstance);
}

function refuseIfBusy(deps: Operating, ask: Ask, kind: string, holder: Operation | undefined): void {
  if (!holder || holder.outcome) return;
  const { operations, clock } = deps;
  const taken = { operation: holder, kind: operations.kindOf(holder), link: operations.linkTo(holder) };
  const asked = { isSameKind: holder.kind === kind, userId: ask.actor.userId, now: clock.now() };
  throw new Refusal('busy', busy(taken, asked, deps));
}

/** What an operation keeps of its instance. */
export function subjectOf({ id, name, status, createdAt, health }: Instance): Operation['subject'] {
  return {
    id,
    name,
    status,
    createdAt,
    health,
  };
}
