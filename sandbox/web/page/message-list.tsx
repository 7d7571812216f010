import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageOfPage } from '../wire.ts';
import { Message } from './message.tsx';
import { dayOf } from './time.tsx';

/** Messages of one author within this time stand under one name. */
const TOGETHER_S = 300;
const NEAR_PX = 120;

/** Messages, oldest first, which keeps to the newest unless the person has scrolled away. */
export function MessageList({
  label,
  messages,
  repliesTo,
  onThread,
}: {
  label: string;
  messages: readonly MessageOfPage[];
  /** How many replies each message has, by ts. */
  repliesTo: ReadonlyMap<string, number>;
  onThread?: ((ts: string) => void) | undefined;
}): JSX.Element {
  const log = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  useLayoutEffect(() => {
    if (isNear.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  });
  const note = (): void => {
    const box = log.current;
    if (box) isNear.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
  };
  return (
    <div class="log" role="log" aria-label={label} tabIndex={0} ref={log} onScroll={note}>
      <div class="push" />
      {messages.map((message, index) => {
        const before = messages[index - 1];
        const isNewDay = !before || dayOf(before.ts) !== dayOf(message.ts);
        return (
          <div key={message.ts}>
            {isNewDay && (
              <p class="day">
                <span>{dayOf(message.ts)}</span>
              </p>
            )}
            <Message
              message={message}
              follows={!isNewDay && isTogether(before, message)}
              replies={repliesTo.get(message.ts) ?? 0}
              onThread={onThread}
            />
          </div>
        );
      })}
    </div>
  );
}

function isTogether(before: MessageOfPage, message: MessageOfPage): boolean {
  return (
    before.user === message.user && !before.isEphemeral && Number(message.ts) - Number(before.ts) < TOGETHER_S
  );
}
