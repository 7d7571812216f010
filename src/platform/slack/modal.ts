import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { placeSchema } from './ids.ts';
import type { Modal } from './message.ts';
import { richText } from './render.ts';
import { plain } from './phrase.ts';

/** The one field of every modal, by its block and its element. */
export const FIELD = { blockId: 'field', actionId: 'typed' } as const;

const MAX_TITLE = 24;
const MAX_LABEL = 2_000;
const MAX_TYPED = 3_000;

/** Where a modal was asked for, and what it stands for: routing data, and never authority. */
const carriedSchema = z.object({ value: z.string().max(100), place: placeSchema });
type Carried = z.infer<typeof carriedSchema>;

/** A modal as Slack's view within its limits. `place`: where it was asked for. */
export function renderModal(modal: Modal, place: Carried['place']): ModalView {
  const carried: Carried = { value: modal.value, place };
  const label = { type: 'plain_text', text: plain(modal.field.label, MAX_LABEL), emoji: false } as const;
  const { hint } = modal.field;
  return {
    type: 'modal',
    callback_id: modal.routeId,
    private_metadata: JSON.stringify(carried),
    title: { type: 'plain_text', text: plain(modal.title, MAX_TITLE) },
    submit: { type: 'plain_text', text: plain(modal.submit, MAX_TITLE) },
    close: { type: 'plain_text', text: 'Leave it' },
    blocks: [
      richText(modal),
      {
        type: 'input',
        block_id: FIELD.blockId,
        label,
        ...(hint === undefined
          ? {}
          : { hint: { type: 'plain_text', text: plain(hint, MAX_LABEL), emoji: false } }),
        element: { type: 'plain_text_input', action_id: FIELD.actionId, max_length: MAX_TYPED },
      },
    ],
  };
}

/** What a submitted modal carries; undefined where it is none of ours. */
export function readCarried(privateMetadata: string): Carried | undefined {
  try {
    return carriedSchema.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    return undefined;
  }
}
