import type { Background, Route } from '../../core/intake/route.ts';
import { PROBE } from './check-way.ts';
import { z } from 'zod';
import { routeTool } from '../../core/agents/tool.ts';
import type { Examine } from './examine.ts';
import { doctorMessage } from './messages.ts';
import type { Rehearsing } from './rehearsal.ts';
import { rehearseRoute } from './rehearse.ts';

export { createExamine, type Examine } from './examine.ts';
export { createRehearsal } from './rehearsal.ts';
export { createWeeklyRehearsal } from './weekly.ts';
export type { Part } from './finding.ts';
export type { Leaver, Named, Names } from './judge-named.ts';
export { type Finding, isAnyFault } from './finding.ts';
export { type Examined, examinedText, findingText } from './messages.ts';

/** How the bot is set up, and whether a change would work: routes of the bot itself. */
export function doctorRoutes(deps: Rehearsing): readonly Route[] {
  return [doctorRoute(deps), rehearseRoute(deps)];
}

/** The job that a rehearsal leaves in the queue, to see that it is taken. */
export const doctorBackground: Background = { jobs: [PROBE] };

/** `/lamplighter doctor`: how the bot and all that it depends on is set up, with what to do about it. */
function doctorRoute({ examine }: { readonly examine: Examine }): Route {
  return {
    id: 'lamplighter.doctor',
    serves: 'examine',
    verb: 'doctor',
    spoken: {
      asks: [
        '(redis|queue) (healthy|ok|up|down|alive|reachable)',
        '(self check|check yourself|self-check)',
        '(bot|you) (ok|alive|there|broken|working|healthy|down)',
        'is bot',
        'are you (ok|alive|there|broken|working)',
        '(diagnose|checkup|selftest|self test|health check)',
        'restart yourself',
        '(check|test|verify|examine|inspect) (setup|set up|configuration|config|settings|yourself)',
        '(is|are) (setup|configuration|config|everything set up|everything configured|all set up|bot set up)',
      ],
    },
    permission: 'bot:examine',
    writes: false,
    usage: '',
    summary: 'how I am set up, and what to do about it',
    tool: routeTool({
      name: 'examine_bot',
      title: 'Examine the bot',
      description: 'Gives how the bot is set up, what is wrong with it, and what to do about that.',
      input: z.object({}),
      words: () => [],
    }),
    handle: async () => doctorMessage(await examine()),
  };
}
