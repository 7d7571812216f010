import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Feature, Route, Service } from './route.ts';

/** The verbs that are typed. */
export interface Vocabulary {
  readonly verbs: readonly string[];
}

/** A noun, with what may be typed after it. */
export interface Noun extends Vocabulary {
  readonly feature: Feature;
  readonly byVerb: ReadonlyMap<string, Route>;
  /** All of its verbs, as a sentence for somebody who knows none of them. */
  readonly verbsWords: Phrase;
}

/** Every route, by its id, by the words that it claims and by what it serves; the vocabulary is that of all nouns. */
export interface RouteIndex extends Vocabulary {
  readonly byId: ReadonlyMap<string, Route>;
  readonly byNoun: ReadonlyMap<string, Noun>;
  readonly byService: ReadonlyMap<Service, Route>;
  /** What a verb without a noun means. */
  readonly byVerb: ReadonlyMap<string, { readonly feature: Feature; readonly route: Route }>;
}

/** Throws where two routes claim one word or one id, or serve the same. */
export function indexRoutes(features: readonly Feature[]): RouteIndex {
  const byId = new Map<string, Route>();
  const byNoun = new Map<string, Noun>();
  const byService = new Map<Service, Route>();
  const byVerb = new Map<string, { feature: Feature; route: Route }>();
  for (const feature of features) {
    if (byNoun.has(feature.noun) || byVerb.has(feature.noun)) {
      throw new Error(`two routes claim the word ${feature.noun}`);
    }
    const own = new Map<string, Route>();
    for (const route of feature.routes) {
      if (byId.has(route.id)) throw new Error(`two routes claim the id ${route.id}`);
      byId.set(route.id, route);
      const { serves } = route;
      if (serves && byService.has(serves)) throw new Error(`two routes serve as ${serves}`);
      if (serves) byService.set(serves, route);
      for (const verb of typedVerbs(route)) {
        const first = byVerb.get(verb);
        // What only reads may share a word; without a noun it means the first noun's.
        if (
          verb === feature.noun ||
          byNoun.has(verb) ||
          own.has(verb) ||
          (first && (mayWrite(first.route) || mayWrite(route)))
        ) {
          throw new Error(`two routes claim the word ${verb}`);
        }
        own.set(verb, route);
        if (!first) byVerb.set(verb, { feature, route });
      }
    }
    byNoun.set(feature.noun, {
      feature,
      byVerb: own,
      verbs: [...own.keys()],
      verbsWords: verbsWords(feature),
    });
  }
  const nouns = [...byNoun.values()];
  return {
    byId,
    byNoun,
    byService,
    byVerb,
    verbs: nouns.flatMap(({ verbs }) => verbs),
  };
}

/** The word that leads to help, in every noun. */
export const HELP = 'help';

function verbsWords({ routes }: Feature): Phrase {
  const verbs = routes.flatMap(({ usage, verb }) => (usage === undefined || verb === HELP ? [] : [verb]));
  return say`The commands are ${verbs.join(', ')} and ${HELP}.`;
}

/** The route of an id that is known to be there. Throws where it isn't. */
export function getRoute({ byId }: RouteIndex, id: string): Route {
  const route = byId.get(id);
  if (!route) throw new Error(`no route ${id}`);
  return route;
}

/** The words by which a route is typed; none where it is for buttons alone. */
export function typedVerbs(route: Route): readonly string[] {
  return route.usage === undefined ? [] : [route.verb, ...(route.aliases ?? [])];
}

/** Whether some words of the route change something. */
function mayWrite({ writes }: Route): boolean {
  return writes !== false;
}
