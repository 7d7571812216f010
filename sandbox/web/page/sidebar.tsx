import type { JSX } from 'preact';
import type { ChannelOfPage } from '../wire.ts';
import { useActing } from './acting.ts';

/** What the person looks at: a channel or the direct messages by id, or the app's Home. */
export type Place = string;
export const HOME = 'home';

export function Sidebar({
  place,
  unread,
  onPlace,
  onPerson,
}: {
  place: Place;
  unread: ReadonlySet<string>;
  onPlace: (place: Place) => void;
  onPerson: (handle: string) => void;
}): JSX.Element {
  const { workspace } = useActing();
  const item = (id: string, label: string, sign: string): JSX.Element => (
    <li key={id}>
      <button
        type="button"
        class={unread.has(id) && id !== place ? 'unread' : ''}
        aria-current={id === place ? 'page' : undefined}
        onClick={() => onPlace(id)}
      >
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        {label}
      </button>
    </li>
  );
  return (
    <nav class="sidebar" aria-label="Workspace">
      <h1>{workspace.team}</h1>
      <div class="acting">
        <label htmlFor="acting-as">Acting as</label>
        <select
          id="acting-as"
          value={workspace.me.handle}
          onChange={(event) => onPerson(event.currentTarget.value)}
        >
          {workspace.actors.map(({ handle, name }) => (
            <option key={handle} value={handle}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <h2>Channels</h2>
      <ul>{workspace.channels.map(({ id, name, kind }) => item(id, name, signOf(kind)))}</ul>
      <h2>Apps</h2>
      <ul>
        {item(HOME, `${workspace.bot.name} Home`, '🏮')}
        {item(workspace.dm.id, `${workspace.bot.name} messages`, '✉')}
        {item(workspace.slackbot.id, workspace.slackbot.name, '🤖')}
      </ul>
      <Shortcuts onUsed={() => onPlace(place)} />
    </nav>
  );
}

/** The bot's shortcuts from anywhere. */
function Shortcuts({ onUsed }: { onUsed: () => void }): JSX.Element {
  const { workspace, act } = useActing();
  return (
    <>
      <h2>Shortcuts</h2>
      <ul>
        {workspace.shortcuts
          .filter(({ on }) => on === 'global')
          .map(({ name, callbackId }) => (
            <li key={callbackId}>
              <button
                type="button"
                onClick={() => {
                  void act({ do: 'shortcut', callbackId });
                  onUsed();
                }}
              >
                <span class="sign" aria-hidden="true">
                  ⚡
                </span>
                {name}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

/** What stands before a channel's name. */
export function signOf(kind: ChannelOfPage['kind']): string {
  return { public: '#', private: '🔒', im: '' }[kind];
}
