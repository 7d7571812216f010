import type { Offers } from '../offers/offers.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Button } from '../../platform/slack/message.ts';
import { isWrite, type Route } from './route.ts';
import type { RouteTable } from './routes.ts';
import { labelOf } from './sentence-messages.ts';
import { typedButton } from './typed-button.ts';

interface FirstDeps {
  readonly offers: Offers;
  readonly routes: Pick<RouteTable, 'byId'>;
}

/** So many buttons stand on one line of a phone's screen, and a second. */
const MOST_FIRST = 4;

/** What can be shown of one instance, and what most people want. */
export async function firstButtons(deps: FirstDeps, about: readonly Instance[]): Promise<readonly Button[]> {
  const [only, ...others] = about;
  const show = only && others.length === 0 ? shownBy(deps, only.id) : [];
  const first = [...deps.routes.byId.values()].filter(({ spoken }) => spoken?.isFirst);
  const asked = [...show, ...first.map((route) => ({ route, words: [] }))].slice(0, MOST_FIRST);
  const made = await Promise.all(
    asked.map(async ({ route, words }) =>
      typedButton(deps.offers, await labelOf(route, words, about), { route: route.id, words: [...words] }),
    ),
  );
  return made.filter((button) => button !== undefined);
}

/** The routes that show one instance, by what they are asked for with. */
export function shownBy(
  { routes }: Pick<FirstDeps, 'routes'>,
  id: string,
): readonly { readonly route: Route; readonly words: readonly string[] }[] {
  return [...routes.byId.values()].flatMap((route) =>
    route.spoken?.asks?.includes('<x>') && !isWrite(route, [id]) ? [{ route, words: [id] }] : [],
  );
}
