import type { JSX } from 'preact';
import type { ChannelOfPage, MessageOfPage } from '../wire.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { signOf } from './sidebar.tsx';

/** A channel, or the direct messages with the bot, and where to type. */
export function Channel({
  channel,
  messages,
  onThread,
}: {
  channel: ChannelOfPage;
  /** All of it, replies included. */
  messages: readonly MessageOfPage[];
  onThread: (ts: string) => void;
}): JSX.Element {
  const label = channel.kind === 'im' ? channel.name : `#${channel.name}`;
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
      </header>
      <MessageList
        key={channel.id}
        label={label}
        messages={messages.filter(({ threadTs }) => threadTs === undefined)}
        repliesTo={repliesTo}
        onThread={onThread}
      />
      <Foot channel={channel} label={label} />
    </section>
  );
}

function Foot({ channel, label }: { channel: ChannelOfPage; label: string }): JSX.Element {
  if (channel.isArchived) return <p class="closed">You are viewing {label}, an archived channel.</p>;
  return <Composer key={channel.id} label={`Message ${label}`} where={channel.id} />;
}
