import { z } from 'zod';
import type { Person, PostedMessage } from './slack/index.ts';
import { canPress, everyElement, type Target, type Wanted } from './slack/acting/target.ts';
import type { Interaction } from './slack/acting/interaction.ts';

/** What a person does with what is nearest to them. Each throws a sentence where there is nothing to do it with. */

const labelSchema = z.object({ text: z.string() });
const optionSchema = z.object({ text: labelSchema, value: z.string() });
const inputSchema = z.object({ type: z.literal('input'), block_id: z.string(), label: labelSchema });

/** Presses what says `label`, in their modal or in one of the messages that they have seen. */
export async function press(
  person: Person,
  seen: readonly PostedMessage[],
  label: string,
): Promise<Interaction> {
  const view = person.views.at(-1);
  if (view && labelOf(view.content['submit']) === label) return person.submits(view);
  if (view && labelOf(view.content['close']) === label) return person.closes(view);
  const target = nearest(person, seen, ({ blocks }) => canPress(blocks, label));
  if (!target) throw new Error(`There is nothing to press that says ${JSON.stringify(label)}.`);
  return person.presses(target, label);
}

/** Types words into the nearest picker and takes the one choice that it then has; with commas, into one of several. */
export async function pick(
  person: Person,
  seen: readonly PostedMessage[],
  words: string,
): Promise<Interaction> {
  const parts = words.split(',').map((part) => part.trim());
  const isSeveral = parts.length > 1 || isForSeveral(person.views.at(-1));
  const kinds = isSeveral
    ? ['multi_external_select']
    : ['external_select', 'users_select', 'conversations_select'];
  const target = nearest(person, seen, ({ blocks }) => findField(blocks, kinds) !== undefined);
  const actionId = target && findField(target.blocks, kinds);
  if (!target || actionId === undefined) throw new Error('There is nothing to pick from.');
  const values: string[] = [];
  let interaction: Interaction | undefined;
  for (const part of parts) {
    values.push(await onlyChoice(person, target, actionId, part, isSeveral));
    interaction = await person.chooses(target, actionId, values.join(','));
  }
  if (!interaction) throw new Error('No choices.');
  return interaction;
}

/** Whether what lies over everything else is a modal in which several are picked. */
function isForSeveral(view: Target | undefined): boolean {
  return view !== undefined && findField(view.blocks, ['multi_external_select']) !== undefined;
}

/** The value of the one choice for words; `takesExact`: the one of exactly that name or id will do among others. */
async function onlyChoice(
  person: Person,
  target: Target,
  actionId: Wanted,
  words: string,
  takesExact: boolean,
): Promise<string> {
  const { options } = await person.searches(target, actionId, words);
  const found = options.map((option) => optionSchema.parse(option));
  const [first] = found;
  if (!first) throw new Error('No choices.');
  const exact = found.find(({ text, value }) => value === words || text.text.startsWith(`${words} (`));
  if (exact && takesExact) return exact.value;
  if (found.length > 1) throw new Error(`Several choices: ${found.map(({ text }) => text.text).join(', ')}`);
  return first.value;
}

/** Fills in the one field of their modal and submits it; without one, the field of the nearest message. */
export async function type(
  person: Person,
  seen: readonly PostedMessage[],
  words: string,
): Promise<Interaction> {
  const view = person.views.at(-1);
  if (!view) {
    const target = nearest(
      person,
      seen,
      ({ blocks }) => findField(blocks, ['plain_text_input']) !== undefined,
    );
    const field = target && findField(target.blocks, ['plain_text_input']);
    if (!target || field === undefined) throw new Error('There is nothing to type into.');
    return person.chooses(target, field, words);
  }
  const inputs = view.blocks.flatMap((block) => inputSchema.safeParse(block).data ?? []);
  const [input] = inputs;
  if (!input) throw new Error('There is nothing to fill in here.');
  if (inputs.length > 1) {
    throw new Error(`There is more than one field here: ${inputs.map((one) => one.label.text).join(', ')}`);
  }
  return person.submits(view, { [input.block_id]: words });
}

export async function close(person: Person): Promise<Interaction> {
  const view = person.views.at(-1);
  if (!view) throw new Error('There is no modal to close.');
  return person.closes(view);
}

/** What is nearest to the person: their modal, else the latest message. */
function nearest(
  person: Person,
  seen: readonly PostedMessage[],
  isMeant: (target: Target) => boolean,
): Target | undefined {
  return [...seen, ...person.views.slice(-1)].findLast(isMeant);
}

function findField(blocks: Target['blocks'], kinds: readonly string[]): Wanted | undefined {
  const picker = everyElement(blocks).find(({ element }) => kinds.includes(String(element['type'])));
  return picker && { blockId: picker.blockId, actionId: String(picker.element['action_id']) };
}

function labelOf(button: unknown): string | undefined {
  return labelSchema.safeParse(button).data?.text;
}
