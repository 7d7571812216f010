import type { PersonRecord } from '../../people.ts';
import { SlackNo } from '../api/refusal.ts';
import { type Json, parseJson, record, string } from '../json.ts';
import type { World } from '../world.ts';
import type { View } from '../workspace/views.ts';
import { actorFields } from './actor.ts';
import { placeOf } from './choose.ts';
import { filled, untouched } from './element-value.ts';
import { stateOf } from './state.ts';
import { findElement } from './target.ts';
import { Interaction } from './interaction.ts';

const MAX_INPUT = 3000;

/** What a person fills in, by action id, block id or label of the input. */
export type Entries = Readonly<Record<string, string>>;

/** A person fills in a modal and presses its submit button; the bot's `response_action` is carried out. */
export async function submit(
  world: World,
  person: PersonRecord,
  view: View,
  entries: Entries,
): Promise<Interaction> {
  if (!view.isOpen || view.userId !== person.id) throw new Error(`the view is not open for ${person.handle}`);
  if (view.content['submit'] === undefined) throw new Error('the view has no submit button');
  for (const [wanted, given] of Object.entries(entries)) fill(world, person, view, wanted, given);
  const state = stateOf(world, view, person.id);
  refuseEmpty(view, state);
  refuseLength(view, state);
  const triggerId = world.triggers.create(person.id);
  const answer = await world.door.deliver('interactive', {
    type: 'view_submission',
    ...actorFields(world, person),
    trigger_id: triggerId,
    view: view.toJson(state),
    response_urls: [],
  });
  const details = { userId: person.id, since: 0, triggerId };
  if (answer.status !== 200) return new Interaction(answer, details);
  const errors = respond(world, view, answer.body);
  return new Interaction(answer, { ...details, errors });
}

function fill(world: World, person: PersonRecord, view: View, wanted: string, given: string): void {
  const byLabel = view.blocks.find((block) => record(block['label'])['text'] === wanted);
  const found = findElement(view.blocks, byLabel ? String(byLabel['block_id']) : wanted);
  const place = placeOf(view, person, found);
  world.choices.set(place, filled(found.element, given, world.choices.offered(place)));
}

function refuseEmpty(view: View, state: Json): void {
  for (const block of view.blocks) {
    if (block['type'] !== 'input' || block['optional'] === true) continue;
    const element = record(block['element']);
    const value = record(record(state[String(block['block_id'])])[String(element['action_id'])]);
    const { type: _, ...blank } = untouched({ type: element['type'] });
    const { type: __, ...given } = value;
    if (JSON.stringify(given) !== JSON.stringify(blank)) continue;
    throw new Error(`Slack does not submit the view: ${String(block['block_id'])} is empty and not optional`);
  }
}

function refuseLength(view: View, state: Json): void {
  for (const block of view.blocks) {
    const element = record(block['element']);
    const value = record(record(state[String(block['block_id'])])[String(element['action_id'])])['value'];
    if (element['type'] !== 'plain_text_input' || typeof value !== 'string') continue;
    const { min_length: least = 0, max_length: most = MAX_INPUT } = element;
    if (value.length >= Number(least) && value.length <= Number(most)) continue;
    throw new Error(
      `Slack does not submit the view: ${String(block['block_id'])} takes ${String(least)} to ${String(most)} characters`,
    );
  }
}

/** Carries out the answer to a submission; gives the errors it shows, if any. */
function respond(world: World, view: View, text: string): Json | undefined {
  const body = record(parseJson(text));
  try {
    switch (body['response_action']) {
      case undefined:
        if (text !== '' && text !== '{}') throw new SlackNo('invalid_response_action');
        world.views.close(view);
        return undefined;
      case 'errors':
        return showErrors(world, view, record(body['errors']));
      default:
        throw new SlackNo('invalid_response_action');
    }
  } catch (no) {
    if (!(no instanceof SlackNo)) throw no;
    world.calls.refuse('view answer', body, no.toJson());
    return { '': no.code };
  }
}

/** Shows the errors; throws SlackNo unless each is a text under an input block. */
function showErrors(world: World, view: View, errors: Json): Json {
  const inputs = view.blocks.filter((block) => block['type'] === 'input').map((block) => block['block_id']);
  const isFit = Object.entries(errors).every(([id, text]) => inputs.includes(id) && Boolean(string(text)));
  if (!isFit || Object.keys(errors).length === 0) throw new SlackNo('invalid_response_errors');
  world.views.showErrors(view, errors);
  return errors;
}
