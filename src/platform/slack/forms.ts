import { refusedFor, slackErrorOf } from './errors.ts';
import type { Message } from './message.ts';

/**
 * In which form a message goes out: with everything, with nothing that is drawn, sorted or unfolded, with its table as a list,
 * or as text alone. A client or workspace that refuses the one takes the next.
 */
export const FORMS = ['whole', 'plain-figures', 'no-figures', 'text'] as const;
export type Form = (typeof FORMS)[number];

/**
 * The form in which a message goes out next after it was refused in `form`; undefined where a plainer one fares no
 * better, or there is none. What Slack refuses for a reason that nobody knows gets one try, as text.
 */
export function plainerForm(
  { chart, table, folded }: Pick<Message, 'chart' | 'table' | 'folded'>,
  form: Form,
  error: unknown,
): Form | undefined {
  const reason = refusedFor(slackErrorOf(error));
  if (reason === undefined || form === 'text') return undefined;
  if (reason === 'unclear') return 'text';
  if ((chart ?? table?.caption ?? folded) !== undefined && form === 'whole') return 'plain-figures';
  return table && form !== 'no-figures' ? 'no-figures' : 'text';
}

/** Sends a message in the first form that Slack takes. Rejects as `send` does, in the last that was tried. */
export async function inFormsTaken<T>(message: Message, send: (form: Form) => Promise<T>): Promise<T> {
  for (let form: Form = 'whole'; ;) {
    try {
      return await send(form);
    } catch (error) {
      const next = plainerForm(message, form, error);
      if (!next) throw error;
      form = next;
    }
  }
}
