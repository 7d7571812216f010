import type { Feature } from './feature.ts';
import type { Route } from './route.ts';

/** A noun, with what may be typed after it. */
export interface Noun {
  readonly feature: Feature;
  readonly byVerb: ReadonlyMap<string, Route>;
  /** The verb that another word for it means. */
  readonly bySynonym: ReadonlyMap<string, string>;
}

/** Every route, by its id and by the words that it claims. */
export interface RouteIndex {
  readonly byId: ReadonlyMap<string, Route>;
  readonly byNoun: ReadonlyMap<string, Noun>;
  /** What a verb without a noun means. */
  readonly byVerb: ReadonlyMap<string, { readonly feature: Feature; readonly route: Route }>;
}

/** Throws where two routes claim one word or one id. */
export function indexRoutes(features: readonly Feature[]): RouteIndex {
  const byId = new Map<string, Route>();
  const byNoun = new Map<string, Noun>();
  const byVerb = new Map<string, { feature: Feature; route: Route }>();
  for (const feature of features) {
    if (byNoun.has(feature.noun) || byVerb.has(feature.noun)) {
      throw new Error(`two routes claim the word ${feature.noun}`);
    }
    const own = new Map<string, Route>();
    const bySynonym = new Map<string, string>();
    byNoun.set(feature.noun, { feature, byVerb: own, bySynonym });
    for (const route of feature.routes) {
      if (byId.has(route.id)) throw new Error(`two routes claim the id ${route.id}`);
      byId.set(route.id, route);
      for (const verb of typedVerbs(route)) {
        const first = byVerb.get(verb);
        // What only reads may share a word; without a noun it means the first noun's.
        if (byNoun.has(verb) || own.has(verb) || (first && (mayWrite(first.route) || mayWrite(route)))) {
          throw new Error(`two routes claim the word ${verb}`);
        }
        own.set(verb, route);
        if (!first) byVerb.set(verb, { feature, route });
      }
    }
    for (const { verb, synonyms = [] } of feature.routes) {
      for (const synonym of synonyms) {
        if (own.has(synonym) || bySynonym.has(synonym)) {
          throw new Error(`two routes claim the word ${synonym}`);
        }
        bySynonym.set(synonym, verb);
      }
    }
  }
  return { byId, byNoun, byVerb };
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
