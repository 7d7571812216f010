import { whichInstance } from '../../core/instances/messages.ts';
import type { Route } from '../../core/intake/route.ts';
import { say } from '../../platform/slack/phrase.ts';
import { FIND, SHOW } from './route-ids.ts';

/**
 * The shortcut from anywhere: a modal in which an instance is picked, whose card then stands in the person's direct messages
 * with the bot. Only what they may see is offered.
 */
export function findRoute(): Route {
  return {
    id: FIND,
    verb: 'find',
    permission: 'instances:read',
    writes: false,
    summary: 'find an instance from anywhere',
    shortcut: {
      on: 'global',
      name: 'Find an instance',
      description: 'Shows one instance with its buttons',
    },
    handle: async () => ({
      ...whichInstance('show', SHOW, say`Which instance do you want to see?`),
      modal: {
        routeId: SHOW,
        value: '',
        title: 'Find an instance',
        lines: [say`I'll show it to you in your direct messages with me, with its buttons.`],
        field: { label: 'Instance', placeholder: 'Type a name or an id' },
        submit: 'Show',
      },
    }),
  };
}
