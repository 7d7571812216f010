import { z } from 'zod';
import { FIELD, readCarried } from '../../platform/slack/modal.ts';
import type { pressSchema, submissionSchema } from './incoming.ts';
import { typedIdOf } from './kept-words.ts';

/** What people have put into fields and selects, as Slack sends it with a press, a pick or a modal. */

/** Where a press or a pick in a modal was, by what the modal carries; undefined outside of one. */
export function modalIn({
  view,
}: Pick<z.output<typeof pressSchema>, 'view'>): ReturnType<typeof readCarried> {
  return view?.type === 'modal' ? readCarried(view.private_metadata) : undefined;
}

/** What was filled into a submitted modal: words, or the one that was picked; of a form, all its fields. */
export function filledIn({
  view,
}: Pick<z.output<typeof submissionSchema>, 'view'>):
  | { readonly typed: string }
  | { readonly picked: string }
  | { readonly filled: Record<string, string[]> } {
  const { values } = view.state;
  if (!Object.hasOwn(values, FIELD.blockId)) {
    const all = Object.entries(values).map(([name, elements]): [string, string[]] => [
      name,
      inForm(elements),
    ]);
    return { filled: Object.fromEntries(all) };
  }
  const [filled] = Object.values(values[FIELD.blockId] ?? {});
  const { selected_option: one, value } = filled ?? {};
  return one ? { picked: one.value } : { typed: value ?? '' };
}

type Filled = z.output<typeof submissionSchema>['view']['state']['values'][string];

function inForm(elements: Filled): string[] {
  return Object.values(elements).flatMap(
    ({ value, selected_option: one, selected_options: several = [] }) => [
      ...(value === undefined ? [] : [value]),
      ...(one ? [one.value] : []),
      ...several.map((option) => option.value),
    ],
  );
}

const pickedSchema = z.object({
  selected_options: z.array(z.object({ value: z.string().max(150) })).max(100),
});

/** What is picked in a select of several, or in the one beside the button that was pressed; undefined where there is none. */
export function pickedBeside(
  { view, state }: Pick<z.output<typeof pressSchema>, 'view' | 'state'>,
  { block_id: blockId }: z.output<typeof pressSchema>['actions'][number],
): readonly string[] | undefined {
  const { values = {} } = view?.state ?? state ?? {};
  const beside = blockId !== undefined && Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  const [picked] = Object.values(beside ?? {}).flatMap((value) => pickedSchema.safeParse(value).data ?? []);
  return picked?.selected_options.map(({ value }) => value);
}

const fieldSchema = z.object({
  selected_user: z.string().max(100).optional(),
  selected_conversation: z.string().max(100).optional(),
  value: z.string().max(2_000).optional(),
});

/** What was picked or typed in a field of a message, or stands in the one that the pressed button is for; undefined where nothing does. */
export function filledBeside(
  { state }: Pick<z.output<typeof pressSchema>, 'state'>,
  action: z.output<typeof pressSchema>['actions'][number],
  value: string | undefined,
): string | undefined {
  const own = action.type === 'button' ? undefined : inField(action);
  if (own !== undefined) return own;
  const { values = {} } = state ?? {};
  const blockId = typedIdOf(value);
  const beside = blockId !== undefined && Object.hasOwn(values, blockId) ? values[blockId] : undefined;
  const [field] = Object.values(beside ?? {}).flatMap((one) => fieldSchema.safeParse(one).data ?? []);
  return field && inField(field);
}

function inField(field: z.output<typeof fieldSchema>): string | undefined {
  return field.selected_user ?? field.selected_conversation ?? field.value;
}
