import { Refusal } from '../../core/refusal.ts';
import type { Feature } from '../../core/intake/feature.ts';
import { say } from '../../platform/slack/phrase.ts';

/**
 * A command of the app for which the hosting service offers nothing. Slack shows the command all the same, so its answer
 * says why nothing comes of it; help doesn't mention it. `what`: what the service has none of. `service`: its name.
 */
export function notOfferedFeature(noun: string, what: string, service: string): Feature {
  const id = `${noun}.notOffered`;
  return {
    noun,
    default: id,
    verbless: () => id,
    summary: `nothing at ${service}`,
    routes: [
      {
        id,
        verb: noun,
        permission: undefined,
        writes: false,
        summary: 'says that the service offers nothing of the kind',
        handle: async () => {
          throw new Refusal('not-offered', say`${service} has no ${what} that I can read.`);
        },
      },
    ],
  };
}
