import { question } from '../ask/question.ts';
import { offered } from '../offers/canceled.ts';
import { type Confirmation, CONFIRMATIONS } from '../offers/confirmation.ts';
import { promised } from '../../platform/time/duration.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Confirm, Words } from './declaration.ts';

/** What was shown, with the way to say yes: a button, or a modal and a button that opens it where it can't be opened. */
export function askToConfirm(
  route: {
    readonly id: string;
    readonly words: Pick<Words, 'keep'>;
    readonly confirm: Confirm;
    readonly cancelWindowMs: number | undefined;
  },
  confirmationId: string,
  shown: Pick<Confirmation, 'instance' | 'args' | 'lines' | 'bullets'>,
): Message {
  const { id: routeId, words, confirm, cancelWindowMs } = route;
  const preview = { lines: shown.lines, bullets: shown.bullets };
  const about = shown.instance;
  const cancels = offered(CONFIRMATIONS, confirmationId);
  if (confirm.how === 'button') {
    const { label, style } = confirm;
    const buttons = [{ label, routeId, value: confirmationId, style, about }];
    return question({ ...preview, buttons }, cancels);
  }
  const hint = cancelWindowMs === undefined ? undefined : canBeCanceled(words, cancelWindowMs);
  const word = wordOf(confirm, shown);
  return question(
    {
      ...preview,
      buttons: [{ label: confirm.label, routeId, value: confirmationId, style: 'danger', about }],
      ...(hint === undefined ? {} : { note: say`${hint}` }),
      modal: {
        routeId,
        value: confirmationId,
        title: confirm.title,
        ...preview,
        field: { label: confirm.field(word), hint },
        submit: confirm.submit,
        ...(words.keep === undefined ? {} : { close: words.keep }),
      },
    },
    cancels,
    words.keep,
  );
}

/** The word to type, of what was shown. */
export function wordOf(
  confirm: Extract<Confirm, { how: 'typed' }>,
  { instance, args }: Pick<Confirmation, 'instance' | 'args'>,
): string {
  return confirm.word(instance, args ?? {});
}

/** What is promised before it is confirmed. */
function canBeCanceled({ keep }: Pick<Words, 'keep'>, cancelWindowMs: number): string {
  const does = keep === undefined ? 'cancel it' : 'call it off';
  return `After you confirm, anyone who can start and stop instances can ${does} for ${promised(cancelWindowMs)}.`;
}
