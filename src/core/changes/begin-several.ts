import type { Changing } from './changing.ts';
import { entryOf } from '../audit/entry.ts';
import { type Preview, PREVIEWS } from '../batches/preview.ts';
import { CANCELED, wasCanceled, foreign, outOfDate } from '../offers/canceled.ts';
import { type NotTheirs, theirs, type ToOne } from '../offers/confirmation.ts';
import { subjectOf } from '../operations/begin.ts';
import { noRoomBack, severalBackWords } from '../operations/way-back.ts';
import { ruleText } from '../policy/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import { newId } from '../../platform/id.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Args, Declared } from './declaration.ts';
import type { Examined } from './examine.ts';
import type { Wish } from './preview-several.ts';

/**
 * Begins a batch of what was confirmed. Gives what its person reads alone: nothing, since the card says it, or a line in
 * place of what was pressed. Throws a Refusal.
 */
export async function beginBatch<A extends Args>(
  declared: Declared<A>,
  { batches, clock, waysBack }: Changing,
  ask: Ask,
  audit: AuditAttempt,
  {
    wish: { atOnce, because, override, follows, back },
    examined: { chosen },
    previewId,
  }: { readonly wish: Wish; readonly examined: Examined; readonly previewId: string | undefined },
): Promise<Reply> {
  const { id: kind, words } = declared;
  const { id, actor, place } = ask;
  const items = chosen.map(({ instance, rule }) => ({
    operationId: newId(),
    subject: subjectOf(instance),
    rule: ruleText(rule),
  }));
  const entry = entryOf(ask, 'set', clock.now(), {
    route: kind,
    args: { several: items.map(({ subject }) => subject.id) },
    because,
    override,
  });
  const instances = items.map(({ subject }) => subject);
  const planned = back && waysBack.planSeveral({ batchId: id, ...back, actor, place, instances });
  const batch = {
    id,
    kind,
    actor,
    place,
    askedAt: ask.askedAt,
    atOnce,
    items,
    because,
    override,
    ...(back && planned ? { remarks: [[...severalBackWords(back, planned.at)]] } : {}),
  };
  const begun = await batches.begin(batch, { previewId, follows, also: planned?.also }, entry);
  if (begun.result === 'full') throw noRoomBack();
  if (begun.result === 'unconfirmed') throw NOT_THEIRS.expired();
  if (begun.result === 'used') throw begun.batchId === CANCELED ? wasCanceled() : confirmedAlready();
  audit('recorded');
  if (begun.result === 'gone') return undefined;
  if (follows) await batches.showFollowed(follows, actor);
  if (!ask.replaces) return undefined;
  const what = items.length === 1 ? '1 instance' : `${items.length} instances`;
  return { lines: [say`${words.doing} ${what}. The card in the channel shows the progress.`] };
}

/** What a person was shown, provided that it can be confirmed by them now. Throws a Refusal. */
export async function findPreview(
  { offers }: Pick<Changing, 'offers'>,
  ask: Ask,
  previewId: string,
): Promise<Preview> {
  const preview = await offers.find(PREVIEWS, previewId);
  const shown = theirs(preview, ask, NOT_THEIRS);
  if (preview.usedBy !== undefined && preview.usedBy !== ask.id) throw confirmedAlready();
  return shown;
}

/** The same to be read again, as long as it is kept. */
export async function readPreview(
  { offers }: Pick<Changing, 'offers'>,
  ask: Ask,
  previewId: string,
): Promise<Pick<Preview, 'chosen' | 'skipped'>> {
  const { what } = await offers.find(PREVIEWS, previewId);
  return theirs({ what: what && { ...what, routeId: undefined, expiresAt: undefined } }, ask, NOT_THEIRS);
}

const NOT_THEIRS: NotTheirs<ToOne> = {
  foreign: ({ actor }) => new Refusal('confirmation-foreign', foreign(actor)),
  expired: () =>
    new Refusal('confirmation-expired', outOfDate('done', 'Ask again to see what is there now.')),
};

function confirmedAlready(): Refusal {
  return new Refusal('button-used', say`That was confirmed already; its card shows the progress.`);
}
