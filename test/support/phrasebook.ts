import { createBareFeatures } from '../../src/app/features.ts';
import { type Phrasebook, phrasebookOf } from '../../src/core/sentences/phrasebook.ts';
import type { Route } from '../../src/core/intake/route.ts';

/** Every route of the bot that runs the demo's host, with its noun. Nothing of them can be handled. */
export function everyRoute(): readonly (Route & { readonly noun: string })[] {
  return createBareFeatures().flatMap(({ noun, routes }) => routes.map((route) => ({ ...route, noun })));
}

/** What all of them are asked for with. */
export function phrasebookOfAll(): Phrasebook {
  return phrasebookOf(everyRoute());
}
