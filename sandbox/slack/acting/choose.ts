import type { PersonRecord } from '../../people.ts';
import { brokenRules, pointed } from '../limits/faults.ts';
import { optionsAnswer } from '../limits/options.ts';
import { type Json, parseJson, record, records } from '../json.ts';
import type { World } from '../world.ts';
import type { Place } from './choices.ts';
import { actorFields } from './actor.ts';
import { filled } from './element-value.ts';
import { act, surroundings } from './press.ts';
import { targetId } from './state.ts';
import { blocksOf, findElement, type Found, type Target, type Wanted } from './target.ts';
import { Interaction } from './interaction.ts';

/** What the bot offered for what a person typed into an external select. */
export interface Offered {
  readonly status: number;
  readonly requestId: string;
  /** Every option, those of groups included. */
  readonly options: Json[];
  readonly optionGroups: Json[] | undefined;
  readonly error: string | undefined;
}

/** A person types into an external select; throws when the select asks for more letters first. */
export async function search(
  world: World,
  person: PersonRecord,
  target: Target,
  wanted: Wanted,
  typed: string,
): Promise<Offered> {
  const found = findElement(blocksOf(target), wanted);
  const { element, blockId } = found;
  if (isOfSlack(element)) return searchSlack(world, person, placeOf(target, person, found), element, typed);
  if (!isExternal(element))
    throw new Error(
      `${String(element['action_id'])} is a ${String(element['type'])}: it does not ask the bot`,
    );
  const least = leastLetters(element);
  if (typed.length < least)
    throw new Error(`${String(element['action_id'])} asks the bot only from ${least} letters on`);
  const answer = await world.door.deliver('options', {
    type: 'block_suggestion',
    ...actorFields(world, person),
    ...surroundings(world, person, target),
    action_id: element['action_id'],
    block_id: blockId,
    value: typed,
  });
  const body = record(parseJson(answer.body));
  const broken = answer.status === 200 ? brokenRules(optionsAnswer, body) : [];
  if (broken.length > 0) {
    const errors = broken.map((rule) => pointed(rule, 'options'));
    world.calls.refuse('options answer', body, { ok: false, error: 'invalid_options', errors });
  }
  const optionGroups = body['option_groups'] === undefined ? undefined : records(body['option_groups']);
  const all = [
    ...records(body['options']),
    ...(optionGroups ?? []).flatMap((group) => records(group['options'])),
  ];
  const options = answer.status === 200 && broken.length === 0 ? all : [];
  world.choices.offer(placeOf(target, person, found), options);
  const error = answer.error ?? (answer.status === 200 && broken.length === 0 ? undefined : 'no_results');
  const { status, requestId } = answer;
  return { status, requestId, options, optionGroups, error };
}

/** A person picks in a select; the bot is asked for its options first if need be. */
export async function choose(
  world: World,
  person: PersonRecord,
  target: Target,
  wanted: Wanted,
  given: string,
): Promise<Interaction> {
  const found = findElement(blocksOf(target), wanted);
  const place = placeOf(target, person, found);
  if (isOfSlack(found.element)) searchSlack(world, person, place, found.element, '');
  else if (isExternal(found.element) && world.choices.offered(place) === undefined) {
    await search(world, person, target, wanted, leastLetters(found.element) === 0 ? '' : given);
  }
  // What was picked in a select of several stays on offer, whatever is searched for next.
  const before = records(world.choices.find(place)?.['selected_options']);
  const offered = [...(world.choices.offered(place) ?? []), ...before];
  const { type, ...fields } = filled(found.element, given, offered);
  world.choices.set(place, { type, ...fields });
  if (!isDispatched(target, found)) return new Interaction(undefined, { userId: person.id, since: 0 });
  return act(world, person, target, found, fields);
}

/** A person fills in a field, and the bot hears of it with their next press. */
export function fill(
  world: World,
  person: PersonRecord,
  target: Target,
  wanted: Wanted,
  given: string,
): Interaction {
  const found = findElement(blocksOf(target), wanted);
  world.choices.set(placeOf(target, person, found), filled(found.element, given));
  return new Interaction(undefined, { userId: person.id, since: 0 });
}

/** Slack itself lists the people, or the channels that a person is in. */
function searchSlack(
  world: World,
  person: PersonRecord,
  place: Place,
  { type }: Json,
  typed: string,
): Offered {
  const { people, channels } = world.workspace;
  const all =
    type === 'users_select'
      ? people.map(({ id, handle }) => ({ value: id, label: `@${handle}` }))
      : channels
          .filter(({ kind, members }) => kind !== 'im' && members.has(person.id))
          .map(({ id, name }) => ({ value: id, label: `#${name}` }));
  const sought = typed.replace(/^[@#]/, '').toLowerCase();
  const options = all
    .filter(({ label }) => label.slice(1).startsWith(sought))
    .map(({ value, label }) => ({ text: { type: 'plain_text', text: label }, value }));
  world.choices.offer(place, options);
  return { status: 200, requestId: '', options, optionGroups: undefined, error: undefined };
}

function isOfSlack(element: Json): boolean {
  return element['type'] === 'users_select' || element['type'] === 'conversations_select';
}

/** Where this person meets this element. */
export function placeOf(target: Target, person: PersonRecord, { blockId, element }: Found): Place {
  return { target: targetId(target), userId: person.id, blockId, actionId: String(element['action_id']) };
}

/** Whether the bot hears of a pick: of one in a field of a form only where it asks for that. */
function isDispatched(target: Target, { blockId }: Found): boolean {
  const block = blocksOf(target).find((one) => one['block_id'] === blockId);
  return block?.['type'] !== 'input' || block['dispatch_action'] === true;
}

function isExternal(element: Json): boolean {
  return String(element['type']).endsWith('external_select');
}

function leastLetters(element: Json): number {
  return typeof element['min_query_length'] === 'number' ? element['min_query_length'] : 3;
}
