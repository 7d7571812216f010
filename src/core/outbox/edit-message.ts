import { plainerForm } from '../../platform/slack/forms.ts';
import * as edits from './edits.ts';
import { faultOf, holdUp, laneOf, type LeavingDeps, type MessageSource, momentOf } from './message-source.ts';

/** Writes down that an edit leaves. Gives the record then; undefined where it must not leave. */
async function startEditing<R>(deps: LeavingDeps, source: MessageSource<R>): Promise<R | undefined> {
  const { clock, timings, leaving } = deps;
  let at = 0;
  const notEditing = (): Promise<unknown> => source.change((now) => edits.notEditing(now, at));
  const written = await leaving.writeDown(
    (start) =>
      source.change(
        (now) => {
          at = clock.now() + start();
          return edits.startEditing(now, at, timings);
        },
        { survives: true },
      ),
    notEditing,
  );
  if (!written || !source.isToWait?.(written)) return written;
  await notEditing();
  return undefined;
}

/** Edits a message that stands, so that it shows its content. */
export async function edit<R>(deps: LeavingDeps, source: MessageSource<R>): Promise<void> {
  const { messenger, clock } = deps;
  const written = await startEditing(deps, source);
  if (!written) return;
  const { editingAt, channelId, ts, key, form = 'whole' } = source.messageOf(written);
  if (channelId === undefined || ts === undefined) throw new Error(`${source.name} ${key}: no address`);
  const content = source.contentOf(written);
  try {
    await messenger.update({ channelId, ts }, content, key, form);
    const [contentKey, moment] = [source.contentKeyOf(written), momentOf(deps, source, written)];
    await source.change((now) => edits.edited(now, editingAt, contentKey, moment));
  } catch (error) {
    const fault = faultOf(deps, source, `editing the ${source.name}`, error);
    await holdUp(deps, laneOf(source, written, 'edit'), fault);
    const plainer = plainerForm(content, form, fault);
    if (plainer) {
      await source.change((now) => edits.editRefused(now, editingAt, plainer, clock.now()));
      return;
    }
    await source.change((now) => edits.notEdited(now, editingAt, fault, momentOf(deps, source, written)));
  }
}
