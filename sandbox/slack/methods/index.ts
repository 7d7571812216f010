import type { Methods } from '../api/method.ts';
import { apps } from './apps.ts';
import { assistant } from './assistant.ts';
import { auth } from './auth.ts';
import { blocks } from './blocks.ts';
import { chatUpdate } from './chat-update.ts';
import { chat } from './chat.ts';
import { conversations } from './conversations.ts';
import { dnd } from './dnd.ts';
import { files } from './files.ts';
import { functions } from './functions.ts';
import { history } from './history.ts';
import { oauth } from './oauth.ts';
import { scheduled } from './scheduled.ts';
import { usergroups } from './usergroups.ts';
import { users } from './users.ts';
import { views } from './views.ts';

/** Every Web API method that the double answers. A new family is a file and a line here. */
export const METHODS: Methods = {
  ...apps,
  ...assistant,
  ...auth,
  ...blocks,
  ...chat,
  ...chatUpdate,
  ...conversations,
  ...dnd,
  ...files,
  ...functions,
  ...history,
  ...oauth,
  ...scheduled,
  ...usergroups,
  ...users,
  ...views,
};
