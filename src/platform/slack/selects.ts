import type {
  ConversationsSelect,
  ExternalSelect,
  MultiExternalSelect,
  PlainTextElement,
  UsersSelect,
} from '@slack/types';
import type { MessageBlock } from './figures.ts';
import type { Blank, Picker, SeveralPicker } from './message.ts';
import { plain } from './phrase.ts';

const MAX_PLACEHOLDER = 150;

/** What is typed into a message is one line. */
const MAX_TYPED = 300;

/** What asks for a word that is missing, with the words that it completes under the id of its block. */
export function blankBlock({ routeId, asks, label, keeps }: Blank): MessageBlock {
  if (asks !== 'text') {
    const select = asks === 'person' ? usersSelect(routeId, label) : channelSelect(routeId, label);
    return { type: 'actions', block_id: keeps, elements: [select] };
  }
  return {
    type: 'input',
    block_id: keeps,
    label: placeholderOf(label),
    dispatch_action: true,
    element: { type: 'plain_text_input', action_id: routeId, max_length: MAX_TYPED },
  };
}

/** A select of all people, whom Slack lists itself. */
function usersSelect(routeId: string, label: string): UsersSelect {
  return { type: 'users_select', action_id: routeId, placeholder: placeholderOf(label) };
}

/** A select of the channels that its reader sees. */
function channelSelect(routeId: string, label: string): ConversationsSelect {
  return {
    type: 'conversations_select',
    action_id: routeId,
    placeholder: placeholderOf(label),
    filter: { include: ['public', 'private'] },
  };
}

/** At most as long as Slack takes it. */
function placeholderOf(text: string): PlainTextElement {
  return { type: 'plain_text', text: plain(text, MAX_PLACEHOLDER), emoji: false };
}

/** A select with type-ahead of at most so many. */
export function selectSeveral(
  { routeId, placeholder }: Pick<SeveralPicker, 'routeId' | 'placeholder'>,
  most: number,
): MultiExternalSelect {
  return {
    type: 'multi_external_select',
    action_id: routeId,
    placeholder: placeholderOf(placeholder),
    min_query_length: 0,
    max_selected_items: most,
  };
}

/** A select that asks the route for its choices. */
export function externalSelect({
  routeId,
  placeholder,
}: Pick<Picker, 'routeId' | 'placeholder'>): ExternalSelect {
  return {
    type: 'external_select',
    action_id: routeId,
    placeholder: placeholderOf(placeholder),
    min_query_length: 0,
  };
}
