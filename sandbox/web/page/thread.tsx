import type { JSX } from 'preact';
import type { MessageOfPage } from '../wire.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

/** A thread beside its channel: the message it is about, then the replies. */
export function Thread({
  parent,
  replies,
  onClose,
}: {
  parent: MessageOfPage;
  replies: readonly MessageOfPage[];
  onClose: () => void;
}): JSX.Element {
  return (
    <section class="thread" aria-label="Thread">
      <header>
        <h2>Thread</h2>
        <button type="button" class="plain-button" aria-label="Close thread" onClick={onClose}>
          ✕
        </button>
      </header>
      <MessageList label="Thread" messages={[parent, ...replies]} repliesTo={new Map()} />
      <Composer key={parent.ts} label="Reply in thread" where={parent.channel} thread={parent.ts} />
    </section>
  );
}
