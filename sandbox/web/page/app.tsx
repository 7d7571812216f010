import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ActingContext, createActing } from './acting.ts';
import { ApiNotice } from './api-notice.tsx';
import { AppTabs } from './app-tabs.tsx';
import { Channel } from './channel.tsx';
import { Curtain } from './curtain.tsx';
import { Home } from './home.tsx';
import { Modal } from './modal.tsx';
import { HOME, type Place, Sidebar } from './sidebar.tsx';
import { type Known, useKnown } from './store.ts';
import { Thread } from './thread.tsx';
import { Top } from './top.tsx';
import { Guide } from './tour.tsx';
import { useUnread } from './unread.ts';
import { useTour } from './use-tour.ts';

const FIRST = 'ana';
const NARROW = '(max-width: 900px)';
const WIDE = '(min-width: 1180px)';
const COMPLAINT_MS = 8_000;

/** A Slack workspace, for the person in the address. */
export function App(): JSX.Element {
  const [who, setWho] = useState(new URLSearchParams(location.search).get('as') ?? FIRST);
  const { known, isLost } = useKnown(who);
  const change = (handle: string): void => {
    history.replaceState(null, '', `?as=${handle}`);
    setWho(handle);
  };
  if (!known) return <p class="waiting">{isLost ? 'The demo does not answer.' : 'Opening the workspace…'}</p>;
  return <Workspace known={known} who={who} isLost={isLost} onPerson={change} />;
}

function Workspace({
  known,
  who,
  isLost,
  onPerson,
}: {
  known: Known;
  who: string;
  isLost: boolean;
  onPerson: (handle: string) => void;
}): JSX.Element {
  const { workspace, messages, view } = known;
  const [wanted, setPlace] = useState<Place>(workspace.channels[0]?.id ?? HOME);
  const [threadTs, setThread] = useState<string>();
  const [isMenu, setMenu] = useState(false);
  const [isCurtain, setCurtain] = useState(matchMedia(WIDE).matches);
  const [complaint, complain] = useComplaint();
  const acting = useMemo(() => createActing(workspace, who, complain), [workspace, who]);
  const channel = [...workspace.channels, workspace.dm, workspace.slackbot].find(({ id }) => id === wanted);
  const place = channel?.id ?? HOME;
  const unread = useUnread(known, place);
  const parent = messages.find(({ ts, channel: at }) => ts === threadTs && at === place);
  const go = (next: Place): void => {
    setPlace(next);
    setThread(undefined);
    setMenu(false);
  };
  const tour = useTour(acting, known.curtain.tour, () => {
    go(workspace.channels[0]?.id ?? HOME);
    if (matchMedia(NARROW).matches) setCurtain(false);
  });
  const tabs = <AppTabs place={place} unread={unread} onPlace={go} />;
  return (
    <ActingContext.Provider value={acting}>
      <div
        class={`page ${isMenu ? 'menu-open' : ''} ${isCurtain ? 'curtain-open' : ''} ${parent ? 'thread-open' : ''}`}
      >
        <Top
          name={isLost ? 'The demo does not answer.' : `${workspace.team}, on this machine`}
          isMenu={isMenu}
          hasNew={unread.size > 0}
          isCurtain={isCurtain}
          onMenu={() => setMenu(!isMenu)}
          onCurtain={() => setCurtain(!isCurtain)}
        />
        <div class="notices">
          <ApiNotice state={known.curtain.api} />
          <Guide tour={tour} who={who} onPerson={onPerson} />
        </div>
        <Sidebar place={place} unread={unread} onPlace={go} onPerson={onPerson} />
        <main>
          {channel ? (
            <Channel
              channel={channel}
              messages={messages.filter((message) => message.channel === channel.id)}
              tabs={channel.kind === 'im' && tabs}
              onThread={setThread}
            />
          ) : (
            <Home blocks={known.home} tabs={tabs} />
          )}
        </main>
        {parent && (
          <Thread
            parent={parent}
            replies={messages.filter((message) => message.threadTs === parent.ts)}
            onClose={() => setThread(undefined)}
          />
        )}
        {isCurtain && <Curtain curtain={known.curtain} tour={tour} onClose={() => setCurtain(false)} />}
        {complaint !== undefined && (
          <p class="complaint" role="alert">
            {complaint}
          </p>
        )}
        {view && <Modal key={view.id} view={view} />}
      </div>
    </ActingContext.Provider>
  );
}

/** A sentence that goes after a while. */
function useComplaint(): readonly [string | undefined, (sentence: string) => void] {
  const [complaint, setComplaint] = useState<string>();
  useEffect(() => {
    if (complaint === undefined) return undefined;
    const timer = setTimeout(() => setComplaint(undefined), COMPLAINT_MS);
    return () => clearTimeout(timer);
  }, [complaint]);
  return [complaint, setComplaint];
}
