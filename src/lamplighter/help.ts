import type { Access } from '../access/access.ts';
import { whoCanHelp } from '../access/messages.ts';
import type { Feature, Route } from '../feature.ts';
import { type Phrase, say, strong } from '../slack/phrase.ts';

export interface HelpDeps {
  readonly access: Access;
  readonly admins: readonly string[];
  readonly prefix: string;
  /** Every feature, this one included; asked at the time of the question. */
  readonly features: () => readonly Feature[];
}

/** `/lamplighter help [topic]`: read from the route table, and only what this person may do. */
export function helpRoute(deps: HelpDeps): Route {
  return {
    id: 'lamplighter.help',
    verb: 'help',
    permission: undefined,
    writes: false,
    usage: '[topic]',
    summary: 'what you may do here',
    handle: async (ask) => {
      const topic = ask.words[0]?.toLowerCase();
      const bullets: Phrase[] = [];
      let mayAnything = false;
      for (const feature of deps.features()) {
        for (const route of feature.routes) {
          if (
            route.usage === undefined ||
            (topic !== undefined && topic !== feature.noun && topic !== route.verb)
          )
            continue;
          if (route.permission !== undefined) {
            if (!(await deps.access.check(ask.actor, route.permission)).allowed) continue;
            mayAnything = true;
          }
          bullets.push(usageLine(deps.prefix, feature, route));
        }
      }
      if (bullets.length === 0)
        return { lines: [say`There is nothing about "${topic ?? ''}" that you may do here.`] };
      const howElse = say`The same words work when you mention me, also in threads: restart web-1.`;
      const noRole = say`You have no role here yet.${whoCanHelp(deps.admins)}`;
      return {
        lines: [mayAnything || topic !== undefined ? say`What you may do here:` : noRole],
        bullets,
        note: howElse,
      };
    },
  };
}

function usageLine(prefix: string, feature: Feature, route: Route): Phrase {
  const words = [route.verb, route.usage].filter((part) => part !== '').join(' ');
  return say`${strong(`/${prefix}${feature.noun} ${words}`)}: ${route.summary}`;
}
