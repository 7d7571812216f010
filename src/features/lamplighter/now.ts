import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { labelOf } from '../../core/intake/sentence-messages.ts';
import { typedButton } from '../../core/intake/typed-button.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { drawSections, type Lamplighter } from './home.ts';

/** So much of a list is read at a glance. */
const MOST_LISTED = 5;

/** What whoever says nothing, or only hello, is answered: what is going on, and what most people want next. */
export function nowRoute(deps: Lamplighter): Route {
  return {
    id: 'lamplighter.now',
    serves: 'now',
    verb: 'now',
    spoken: {
      asks: [
        '(what|anything) * going on',
        '(is|are) * (api|hosting|hosting service|hosting company|provider|cloud|service|hetzner|digitalocean|digital ocean|vultr) * (down|up|ok|reachable|back|slow|alive|working|answering|there)',
      ],
    },
    permission: undefined,
    writes: false,
    summary: 'what is going on',
    handle: async (ask) => {
      const lines = await goingOn(deps, ask);
      const routes = deps.features().flatMap((feature) => feature.routes);
      const first = routes.filter(({ spoken }) => spoken?.isFirst);
      const inOrder = [
        ...first.filter(({ serves }) => serves !== 'help'),
        ...first.filter(({ serves }) => serves === 'help'),
      ];
      const buttons = await Promise.all(
        inOrder.map(async (route) =>
          typedButton(deps.offers, await labelOf(route, [], []), { route: route.id, words: [] }),
        ),
      );
      return { lines, buttons: buttons.filter((one) => one !== undefined) };
    },
  };
}

/** What is going on, in a few lines. */
export async function goingOn(
  deps: Bot & Pick<Lamplighter, 'homeShows'>,
  ask: Ask,
): Promise<readonly Phrase[]> {
  const sections = deps.homeShows.sections.filter(({ isNow = false }) => isNow);
  return (await drawSections(deps, ask, sections)).flatMap(briefly);
}

function briefly({ lines, bullets = [], rows = [], moreBullets = 0 }: Message): readonly Phrase[] {
  const all = [...bullets, ...rows.map(({ line }) => line)];
  const listed = all.slice(0, MOST_LISTED);
  const left = all.length - listed.length + moreBullets;
  return [
    ...lines,
    ...listed.map((bullet) => say`• ${bullet}`),
    ...(left > 0 ? [say`• and ${left} more`] : []),
  ];
}
