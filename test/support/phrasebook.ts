import { DELETION } from './deletion.ts';
import { createChanges, createFeatures } from '../../src/app/features.ts';
import type { ChangesDeps, FeaturesDeps } from '../../src/app/features-deps.ts';
import { createLinks } from '../../src/core/links.ts';
import { type Phrasebook, phrasebookOf } from '../../src/core/sentences/phrasebook.ts';
import type { Feature } from '../../src/core/intake/feature.ts';
import type { Route } from '../../src/core/intake/route.ts';

/** What is asked of nothing while routes are made: any part of it is as empty, and gives nothing when it is called. */
function nothing(): object {
  return new Proxy(() => undefined, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : nothing()),
    apply: () => [],
  });
}

const about = {
  name: 'the host',
  deletion: DELETION,
  offers: { deletion: true, addons: true, billing: 'prepaid', charges: true, bills: true, forcing: [] },
  actionProves: [],
};

function having<Deps extends object>(given: Partial<Record<keyof Deps, unknown>>): Deps {
  const own: Deps = Object.assign(Object.create(null), given);
  return new Proxy(own, { get: (of, key) => (Object.hasOwn(of, key) ? Reflect.get(of, key) : nothing()) });
}

/** Every route of the bot that runs the demo's host, with its noun. Nothing of them can be handled. */
export function everyRoute(): readonly (Route & { readonly noun: string })[] {
  const given = { hosting: { about }, links: createLinks({}) };
  const changes = createChanges(having<ChangesDeps>(given));
  const features: readonly Feature[] = createFeatures(
    having<FeaturesDeps>({ ...given, changes, features: () => features }),
  );
  return features.flatMap(({ noun, routes }) => routes.map((route) => ({ ...route, noun })));
}

/** What all of them are asked for with. */
export function phrasebookOfAll(): Phrasebook {
  return phrasebookOf(everyRoute());
}
