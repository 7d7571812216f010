import type { Route } from '../../core/intake/route.ts';
import { answerRequest } from './answer-access.ts';
import { ANSWER_ROUTES, type How } from './ask-messages.ts';
import { type AskAccessDeps, askThem } from './ask-them.ts';
import { ASK_ROUTE } from './route-ids.ts';

/** The button under a refusal that asks those who can give the right, and their answers. */
export function askAccessRoutes(deps: AskAccessDeps): readonly Route[] {
  const answer = (how: How, summary: string): Route => ({
    id: ANSWER_ROUTES[how],
    verb: how === 'no' ? 'refuse' : 'allow',
    permission: 'access:grant',
    writes: true,
    summary,
    handle: async (ask, audit) => {
      audit('recorded');
      return answerRequest(deps, ask, how);
    },
  });
  return [
    {
      id: ASK_ROUTE,
      serves: 'ask-for-right',
      verb: 'ask',
      permission: undefined,
      writes: true,
      summary: 'ask those who can give a right for it',
      handle: async (ask) => askThem(deps, ask),
    },
    answer('once', 'allow someone once what they asked for'),
    answer('for 8 h', 'allow someone for eight hours what they asked for'),
    answer('no', 'allow someone nothing of what they asked for'),
  ];
}
