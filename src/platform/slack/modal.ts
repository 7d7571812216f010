import type { InputBlock, ModalView, PlainTextInput } from '@slack/types';
import { z } from 'zod';
import { placeSchema } from './ids.ts';
import type { FormField, Modal } from './message.ts';
import { richText } from './render.ts';
import { externalSelect, selectSeveral, plainText } from './controls.ts';
import { plain } from './phrase.ts';

/** The one field of a modal, by its block and its element. */
export const FIELD = { blockId: 'field', actionId: 'typed' } as const;

const MAX_TITLE = 24;
const MAX_LABEL = 2_000;
const MAX_TYPED = 3_000;

const TYPED: PlainTextInput = {
  type: 'plain_text_input',
  action_id: FIELD.actionId,
  max_length: MAX_TYPED,
};
type Field = NonNullable<Modal['field']>;

/** Where a modal was asked for, and what it stands for: routing data, and never authority. */
const carriedSchema = z.object({ value: z.string().max(100), place: placeSchema });
type Carried = z.infer<typeof carriedSchema>;

/** A modal as Slack's view within its limits. `place`: where it was asked for. */
export function renderModal(modal: Modal, place: Carried['place']): ModalView {
  const carried: Carried = { value: modal.value, place };
  return {
    type: 'modal',
    callback_id: modal.routeId,
    private_metadata: JSON.stringify(carried),
    title: { type: 'plain_text', text: plain(modal.title, MAX_TITLE) },
    submit: { type: 'plain_text', text: plain(modal.submit, MAX_TITLE) },
    close: { type: 'plain_text', text: plain(modal.close ?? 'Cancel', MAX_TITLE) },
    blocks: [
      richText(modal),
      ...(modal.field ? [fieldOf(modal, modal.field)] : []),
      ...(modal.form ?? []).map((field) => formField(modal, field)),
    ],
  };
}

function formField({ routeId }: Modal, { name, label, hint, picks, isOptional }: FormField): InputBlock {
  const element =
    picks === undefined
      ? TYPED
      : picks.most === 1
        ? externalSelect({ routeId, placeholder: picks.placeholder })
        : selectSeveral({ routeId, placeholder: picks.placeholder }, picks.most);
  return {
    type: 'input',
    block_id: name,
    label: plainText(label, MAX_LABEL),
    ...(hint === undefined ? {} : { hint: plainText(hint, MAX_LABEL) }),
    ...(isOptional ? { optional: true } : {}),
    element,
  };
}

function fieldOf(modal: Modal, { label, hint, placeholder }: Field): InputBlock {
  return {
    type: 'input',
    block_id: FIELD.blockId,
    label: plainText(label, MAX_LABEL),
    ...(hint === undefined ? {} : { hint: plainText(hint, MAX_LABEL) }),
    element: placeholder === undefined ? TYPED : externalSelect({ routeId: modal.routeId, placeholder }),
  };
}

/** What a modal carries; undefined where the bot did not open it. */
export function readCarried(privateMetadata: string): Carried | undefined {
  try {
    return carriedSchema.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    return undefined;
  }
}
