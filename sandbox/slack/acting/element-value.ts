import { type Json, record } from '../json.ts';

/** Under which name an element's value goes, and what the element holds untouched. */
const FIELDS: Readonly<Record<string, { field: string; initial: string }>> = {
  external_select: { field: 'selected_option', initial: 'initial_option' },
  multi_external_select: { field: 'selected_options', initial: 'initial_options' },
  users_select: { field: 'selected_user', initial: 'initial_user' },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation' },
  plain_text_input: { field: 'value', initial: 'initial_value' },
};

/** True for an element whose value is part of the state. */
export function holdsValue(element: Json): boolean {
  return String(element['type']) in FIELDS;
}

/** The state of an element that nobody touched. */
export function untouched(element: Json): Json {
  const type = String(element['type']);
  const { field } = fieldsOf(element);
  return { type, [field]: field === 'selected_options' ? [] : null };
}

/** The element as a person sees it who left it in this state. */
export function asLeft(element: Json, state: Json): Json {
  const { field, initial } = fieldsOf(element);
  const value = state[field] ?? undefined;
  return value === undefined ? element : { ...element, [initial]: value };
}

/**
 * The state of an element after a person filled it in; throws when it does not offer what they gave. Several are given with
 * commas between them.
 */
export function filled(element: Json, given: string, offered: readonly Json[] = []): Json {
  const type = String(element['type']);
  const { field } = fieldsOf(element);
  if (given === '') return untouched(element);
  if (field === 'selected_options')
    return { type, [field]: given.split(',').map((one) => pickOption(offered, one.trim())) };
  if (field === 'selected_user' || field === 'selected_conversation')
    return { type, [field]: pickOption(offered, given)['value'] };
  return { type, [field]: field === 'selected_option' ? pickOption(offered, given) : given };
}

function fieldsOf(element: Json): { field: string; initial: string } {
  return FIELDS[String(element['type'])] ?? { field: 'value', initial: 'initial_value' };
}

/** The option with this label or value; throws, naming what is offered. */
function pickOption(options: readonly Json[], wanted: string): Json {
  const label = (option: Json): unknown => record(option['text'])['text'];
  const found =
    options.find((option) => label(option) === wanted) ??
    options.find((option) => option['value'] === wanted);
  if (found) return found;
  throw new Error(
    `${JSON.stringify(wanted)} is not offered; there is: ${options.map(label).join(', ') || 'nothing'}`,
  );
}
