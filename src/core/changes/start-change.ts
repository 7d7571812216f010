import type { Changing } from './changing.ts';
import { type Confirmation, CONFIRMATIONS, findConfirmation, toAsker } from '../offers/confirmation.ts';
import { fingerprintOf } from '../instances/facts.ts';
import { isTyped, resolveShown } from '../lookup/resolve.ts';
import { refuseIfUsed } from '../operations/begin.ts';
import { nameOf } from '../instances/messages.ts';
import { ruleText } from '../policy/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { SlackPlace } from '../../platform/slack/ids.ts';
import { channel, type Phrase, say } from '../../platform/slack/phrase.ts';
import { beginOrAsk } from './approve-change.ts';
import { checkBefore, reasonsOf, targetOf, whatOf } from './begin-change.ts';
import type { Args, Declared, Checked } from './declaration.ts';
import { mayOrExcept } from './exception.ts';
import { askToConfirm, wordOf } from './ask-to-confirm.ts';
import { findTheirs } from './find-asked.ts';
import { wouldChange } from './sentences.ts';

/**
 * What one person asks of a declared verb: find the one instance, see that nobody else is on it, see that it is
 * possible, then show it, ask for a confirmation, or begin. Gives the reply; throws a Refusal.
 */
export async function requestChange<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
): Promise<Reply> {
  const confirmation = await findConfirmation(deps, ask);
  if (!confirmation) return showFirst(declared, deps, ask, audit);
  const { confirm } = declared;
  // No modal is taken whose word is wrong: `checkTyped` looks at it before.
  if (confirm?.how === 'typed' && ask.typed === undefined) {
    audit({ what: 'shown' });
    return askToConfirm(
      { ...declared, confirm, cancelWindowMs: declared.cancelWindowMs },
      ask.value ?? '',
      confirmation,
    );
  }
  return beginConfirmed(declared, deps, ask, confirmation, audit);
}

/** What is wrong with what stands in the modal, for a verb whose confirmation is typed. */
export async function checkTyped<A extends Args>(
  { confirm }: Declared<A>,
  deps: Changing,
  ask: Ask,
): Promise<Phrase | undefined> {
  const confirmation = await findConfirmation(deps, ask);
  if (!confirmation || confirm?.how !== 'typed') return undefined;
  const word = wordOf(confirm, confirmation);
  return isTyped(ask, word) ? undefined : confirm.wrong(word);
}

async function showFirst<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  pressed: Ask,
  audit: AuditAttempt,
): Promise<Reply> {
  const { confirm } = declared;
  const { instance: listed, args, words, buttonToken } = await findTheirs(declared, deps, pressed);
  const ask = inPlace(pressed, buttonToken?.repeats?.place);
  audit({
    target: targetOf(listed),
    args,
    ...reasonsOf(words),
  });
  const because = words.because ?? buttonToken?.repeats?.because;
  const asksExceptFrom = buttonToken?.repeats?.exceptFrom;
  const wish = { instance: listed, args, because };
  const rule = await mayOrExcept(declared, deps, ask, wish, { ...words, asksExceptFrom });
  audit({ rule: ruleText(rule) });
  const checked = await checkBefore(declared, deps, {
    ask,
    instance: listed,
    args,
    buttonToken,
    isConfirmed: false,
  });
  const instance = checked.instance ?? listed;
  if (words.dryRun) {
    audit({ what: 'dry run' });
    return checked.would ?? dryRun(declared, instance, args, checked);
  }
  const reasons = reasonsOf({ ...words, because });
  if (!confirm || !checked.question) {
    const wanted = { instance, args, rule, asksExceptFrom, ...reasons };
    const by = { buttonTokenId: ask.value, asRead: checked.asRead };
    const reply = await beginOrAsk(declared, deps, ask, wanted, by, audit);
    return reply ?? begunElsewhere(declared, pressed, ask, wanted);
  }
  await refuseIfUsed(deps, ask);
  const shown = {
    instance: fingerprintOf(instance),
    args,
    ...checked.question,
    buttonTokenId: ask.value,
    ...(ask === pressed ? {} : { place: ask.place }),
    ...reasons,
    exceptFrom: asksExceptFrom,
  };
  audit({ what: 'shown' });
  const id = await deps.offers.make(CONFIRMATIONS, { ...shown, routeId: ask.route, ...toAsker(ask, deps) });
  return askToConfirm({ ...declared, confirm, cancelWindowMs: declared.cancelWindowMs }, id, shown);
}

async function beginConfirmed<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  pressed: Ask,
  confirmation: Confirmation,
  audit: AuditAttempt,
): Promise<Reply> {
  const { instance: shown, args: kept, because, override, exceptFrom: asksExceptFrom } = confirmation;
  const { place, buttonTokenId } = confirmation;
  const ask = inPlace(pressed, place);
  const args = declared.args.parse(kept ?? {});
  const listed = await resolveShown(deps.hosting, shown);
  audit({ target: targetOf(listed), args });
  const wish = { instance: listed, args, because };
  const rule = await mayOrExcept(declared, deps, ask, wish, { override, asksExceptFrom });
  const checked = await checkBefore(declared, deps, {
    ask,
    instance: listed,
    args,
    buttonToken: undefined,
    isConfirmed: true,
    shownAt: confirmation.expiresAt - deps.timings.confirmWithinMs,
  });
  const instance = checked.instance ?? listed;
  const { confirm } = declared;
  if (checked.question && confirm) {
    const again = { instance: fingerprintOf(instance), ...toAsker(pressed, deps) };
    const now = { ...confirmation, ...checked.question, ...again };
    const id = await deps.offers.make(CONFIRMATIONS, now);
    throw new Refusal(
      'changed',
      askToConfirm({ ...declared, confirm, cancelWindowMs: declared.cancelWindowMs }, id, now),
    );
  }
  const wanted = { instance, args, rule, asksExceptFrom, ...reasonsOf({ because, override }) };
  const by = { confirmationId: ask.value, buttonTokenId, asRead: checked.asRead };
  const reply = await beginOrAsk(declared, deps, ask, wanted, by, audit);
  return reply ?? begunElsewhere(declared, pressed, ask, wanted);
}

/** What was pressed, done in the place of the request that it repeats. */
function inPlace(pressed: Ask, place: SlackPlace | undefined): Ask {
  return place ? { ...pressed, place } : pressed;
}

/** What the person who pressed reads where the card stands elsewhere; nothing where they see it. */
function begunElsewhere<A extends Args>(
  declared: Declared<A>,
  pressed: Ask,
  { place: { channelId } }: Ask,
  { instance, args }: { readonly instance: Instance; readonly args: A },
): Reply {
  if (pressed.place.channelId === channelId) return undefined;
  const it = nameOf(instance);
  return {
    lines: [
      say`${declared.words.doing} ${declared.object?.(it, args) ?? it}. The card in ${channel(channelId)} shows how it goes.`,
    ],
  };
}

function dryRun<A extends Args>(
  declared: Declared<A>,
  instance: Instance,
  args: A,
  { question: asked }: Checked,
): ReturnType<typeof wouldChange> {
  const confirm = asked && declared.confirm;
  const word = confirm?.how === 'typed' ? wordOf(confirm, { instance, args }) : undefined;
  return wouldChange(whatOf(declared, instance, args), instance, confirm, word);
}
