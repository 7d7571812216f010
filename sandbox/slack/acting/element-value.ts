import { type Json, records } from '../json.ts';
import type { World } from '../world.ts';

/** What a person puts into an element: a label, a value, an @handle, a #channel, text, or several. */
export type Given = string | number | boolean | readonly string[] | null;

/** Under which name an element's value goes, and what the element holds untouched. */
const FIELDS: Readonly<Record<string, { field: string; initial?: string; many?: true }>> = {
  static_select: { field: 'selected_option', initial: 'initial_option' },
  external_select: { field: 'selected_option', initial: 'initial_option' },
  radio_buttons: { field: 'selected_option', initial: 'initial_option' },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', many: true },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', many: true },
  checkboxes: { field: 'selected_options', initial: 'initial_options', many: true },
  users_select: { field: 'selected_user', initial: 'initial_user' },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', many: true },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation' },
  multi_conversations_select: {
    field: 'selected_conversations',
    initial: 'initial_conversations',
    many: true,
  },
  channels_select: { field: 'selected_channel', initial: 'initial_channel' },
  multi_channels_select: { field: 'selected_channels', initial: 'initial_channels', many: true },
  datepicker: { field: 'selected_date', initial: 'initial_date' },
  timepicker: { field: 'selected_time', initial: 'initial_time' },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time' },
  rich_text_input: { field: 'rich_text_value', initial: 'initial_value' },
  file_input: { field: 'files', many: true },
  plain_text_input: { field: 'value', initial: 'initial_value' },
  number_input: { field: 'value', initial: 'initial_value' },
  email_text_input: { field: 'value', initial: 'initial_value' },
  url_text_input: { field: 'value', initial: 'initial_value' },
};

/** True for an element whose value is part of the state. */
export function holdsValue(element: Json): boolean {
  return String(element['type']) in FIELDS;
}

/** The state of an element that nobody touched. */
export function untouched(element: Json): Json {
  const type = String(element['type']);
  const { field, initial, many } = FIELDS[type] ?? { field: 'value' };
  const value = (initial === undefined ? undefined : element[initial]) ?? (many ? [] : null);
  return { type, [field]: value };
}

/** The element as a person sees it who left it in this state. */
export function asLeft(element: Json, state: Json): Json {
  const { field, initial } = FIELDS[String(element['type'])] ?? { field: 'value' };
  const value = state[field] ?? undefined;
  return initial === undefined || value === undefined ? element : { ...element, [initial]: value };
}

/** The state of an element after a person filled it in; throws when it does not offer what they gave. */
export function filled(world: World, element: Json, given: Given, offered: readonly Json[] = []): Json {
  const type = String(element['type']);
  const { field, many } = FIELDS[type] ?? { field: 'value' };
  if (given === null || given === '') return { type, [field]: many ? [] : null };
  const list = Array.isArray(given) ? given.map(String) : [String(given)];
  const values = list.map((one) => resolve(world, element, field, one, offered));
  return { type, [field]: many ? values : values[0] };
}

/** The options that an element itself carries. */
function ownOptions(element: Json): Json[] {
  const groups = records(element['option_groups']).flatMap((group) => records(group['options']));
  return [...records(element['options']), ...groups];
}

/** The option with this label or value; throws, naming what is offered. */
function pickOption(options: readonly Json[], wanted: string): Json {
  const label = (option: Json): unknown => records([option['text']])[0]?.['text'];
  const found =
    options.find((option) => label(option) === wanted) ??
    options.find((option) => option['value'] === wanted);
  if (found) return found;
  throw new Error(
    `${JSON.stringify(wanted)} is not offered; there is: ${options.map(label).join(', ') || 'nothing'}`,
  );
}

function resolve(
  world: World,
  element: Json,
  field: string,
  given: string,
  offered: readonly Json[],
): unknown {
  if (field.startsWith('selected_option')) {
    return pickOption([...ownOptions(element), ...offered], given);
  }
  if (field.startsWith('selected_user')) return world.workspace.getPerson(given).id;
  if (field.startsWith('selected_channel') || field.startsWith('selected_conversation')) {
    return world.workspace.getChannel(given).id;
  }
  if (field === 'selected_date_time') return Number(given);
  if (field === 'rich_text_value') {
    const leaf = { type: 'text', text: given };
    return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [leaf] }] };
  }
  return given;
}
