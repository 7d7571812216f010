import type { ConversationsSelect, ExternalSelect, MultiExternalSelect, UsersSelect } from '@slack/types';
import type { MessageBlock } from './figures.ts';
import type { Blank, Picker, SeveralPicker } from './message.ts';
import { plainText } from './plain-text.ts';

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
    label: plainText(label, MAX_PLACEHOLDER),
    dispatch_action: true,
    element: { type: 'plain_text_input', action_id: routeId, max_length: MAX_TYPED },
  };
}

/** A select of all people, whom Slack lists itself. */
function usersSelect(routeId: string, label: string): UsersSelect {
  return { type: 'users_select', action_id: routeId, placeholder: plainText(label, MAX_PLACEHOLDER) };
}

/** A select of the channels that its reader sees. */
function channelSelect(routeId: string, label: string): ConversationsSelect {
  return {
    type: 'conversations_select',
    action_id: routeId,
    placeholder: plainText(label, MAX_PLACEHOLDER),
    filter: { include: ['public', 'private'] },
  };
}

/** A select with type-ahead of at most so many. */
export function selectSeveral(
  { routeId, placeholder }: Pick<SeveralPicker, 'routeId' | 'placeholder'>,
  most: number,
): MultiExternalSelect {
  return {
    type: 'multi_external_select',
    action_id: routeId,
    placeholder: plainText(placeholder, MAX_PLACEHOLDER),
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
    placeholder: plainText(placeholder, MAX_PLACEHOLDER),
    min_query_length: 0,
  };
}
