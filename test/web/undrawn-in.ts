import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { ActingContext, type Acting } from '../../sandbox/web/page/acting.ts';
import { Blocks } from '../../sandbox/web/page/blocks/index.tsx';
import type { Block, PersonOfPage } from '../../sandbox/web/wire.ts';

const ANA: PersonOfPage = { id: 'U0ANA000001', handle: 'ana', name: 'Ana Engineer' };
const CHANNEL = { id: 'C0OPS000001', name: 'ops', kind: 'public', isArchived: false } as const;
const ACTING: Acting = {
  workspace: {
    me: ANA,
    team: 'Lantern Works',
    bot: { id: 'U0LAMP00001', handle: 'lamplighter', name: 'Lamplighter' },
    people: [ANA],
    actors: [ANA],
    groups: { S0ONCALL001: 'oncall' },
    channels: [CHANNEL],
    dm: { ...CHANNEL, id: 'D1', kind: 'im' },
    slackbot: { ...CHANNEL, id: 'D2', kind: 'im' },
    prompts: [],
    shortcuts: [],
    commands: [],
  },
  tell: () => undefined,
  act: () => Promise.resolve({}),
  search: () => Promise.resolve([]),
};

/** Blocks as the page draws them, as HTML. */
export function drawn(blocks: readonly Block[]): string {
  return render(h(ActingContext.Provider, { value: ACTING, children: h(Blocks, { blocks, target: '1.1' }) }));
}

/** What of the blocks the page can't draw, in its own words. */
export function undrawnIn(blocks: readonly Block[]): string[] {
  return [...drawn(blocks).matchAll(/can(?:'|&#39;)t draw: ([^<]*)/g)].map(([, what = '']) => what);
}
