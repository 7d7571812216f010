import type { JSX } from 'preact';
import { useActing } from './acting.ts';
import { HOME, type Place } from './sidebar.tsx';

/** The two sides of the app, its Home and the conversation in which what is pressed there is answered, and who asks it for people. */
export function AppTabs({
  place,
  unread,
  onPlace,
}: {
  place: Place;
  unread: ReadonlySet<string>;
  onPlace: (place: Place) => void;
}): JSX.Element {
  const { workspace } = useActing();
  const tabs = [
    [HOME, 'Home'],
    [workspace.dm.id, 'Messages'],
    [workspace.slackbot.id, workspace.slackbot.name],
  ] as const;
  return (
    <nav class="tabs" aria-label={workspace.bot.name}>
      {tabs.map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-current={id === place ? 'page' : undefined}
          onClick={() => onPlace(id)}
        >
          {name} {id === workspace.dm.id && unread.has(id) && <span class="new">new</span>}
        </button>
      ))}
    </nav>
  );
}
