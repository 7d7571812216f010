import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChannelOfPage, MessageOfPage } from '../wire.ts';
import { useActing } from './acting.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ASKS, Prompts, starters } from './prompts.tsx';
import { signOf } from './sidebar.tsx';

/** A channel, or the direct messages with the bot, and where to type. */
export function Channel({
  channel,
  messages,
  tabs,
  onThread,
}: {
  channel: ChannelOfPage;
  /** All of it, replies included. */
  messages: readonly MessageOfPage[];
  /** What stands beside its name. */
  tabs: ComponentChildren;
  onThread: (ts: string) => void;
}): JSX.Element {
  const { act, workspace } = useActing();
  const isIm = channel.kind === 'im';
  const isDm = channel.id === workspace.dm.id;
  useEffect(() => {
    if (isDm) void act({ do: 'open-app', tab: 'messages' });
  }, [channel.id]);
  const label = isIm ? channel.name : `#${channel.name}`;
  const isNew = messages.length === 0 && !channel.isArchived;
  const repliesTo = new Map<string, number>();
  for (const { threadTs } of messages) {
    if (threadTs !== undefined) repliesTo.set(threadTs, (repliesTo.get(threadTs) ?? 0) + 1);
  }
  return (
    <section class="channel" aria-label={label}>
      <header>
        <h2>
          <span aria-hidden="true">{signOf(channel.kind)}</span> {channel.name}
        </h2>
        {tabs}
      </header>
      <MessageList
        key={channel.id}
        label={label}
        messages={messages.filter(({ threadTs }) => threadTs === undefined)}
        repliesTo={repliesTo}
        onThread={onThread}
      />
      <Prompts
        prompts={isDm ? workspace.prompts : isIm ? ASKS : isNew ? starters(workspace.bot.handle) : []}
        where={channel.id}
      />
      <Foot channel={channel} label={label} />
    </section>
  );
}

function Foot({ channel, label }: { channel: ChannelOfPage; label: string }): JSX.Element {
  if (channel.isArchived) return <p class="closed">You are viewing {label}, an archived channel.</p>;
  return <Composer key={channel.id} label={`Message ${label}`} where={channel.id} />;
}
