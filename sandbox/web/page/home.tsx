import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Block } from '../wire.ts';
import { useActing } from './acting.ts';
import { Blocks } from './blocks/index.tsx';

/** The app's Home. The bot hears of it when it is opened, and publishes it again then and whenever something changes. */
export function Home({
  blocks,
  tabs,
}: {
  blocks: readonly Block[] | null;
  tabs: ComponentChildren;
}): JSX.Element {
  const { act, workspace } = useActing();
  useEffect(() => {
    void act({ do: 'open-app', tab: 'home' });
  }, [workspace.me.id]);
  return (
    <section class="channel home" aria-label="Home">
      <header>
        <h2>🏮 {workspace.bot.name}</h2>
        {tabs}
      </header>
      <div class="home-body">
        {blocks ? <Blocks blocks={blocks} target="home" /> : <p class="quiet">Nothing here yet.</p>}
      </div>
    </section>
  );
}
