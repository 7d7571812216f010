import type { JSX } from 'preact';
import { useActing } from '../acting.ts';
import { channelNameOf, handleOf } from '../names.ts';

/** A person who is named; the reader themselves stands out. */
export function Mention({ id }: { id: string }): JSX.Element {
  const { workspace } = useActing();
  const isMe = id === workspace.me.id;
  return <span class={isMe ? 'mention me' : 'mention'}>@{handleOf(workspace, id)}</span>;
}

export function Group({ handle = 'group' }: { handle?: string | undefined }): JSX.Element {
  return <span class="mention">@{handle}</span>;
}

export function Channel({ id }: { id: string }): JSX.Element {
  const { workspace } = useActing();
  return <span class="mention">#{channelNameOf(workspace, id)}</span>;
}

/** A message of this Slack, in its address. */
const TO_MESSAGE = /\/archives\/\w+\/p(\d+)(\d{6})/;

/**
 * A link. One to a message that is before the person leads there. Any other is drawn and leads nowhere: the page asks
 * nobody but its own server.
 */
export function Link({ url, label }: { url: string; label: string }): JSX.Element {
  const [, seconds, rest] = TO_MESSAGE.exec(url) ?? [];
  const words = label === '' ? url : label;
  if (seconds === undefined) {
    return (
      <span class="link" title={url}>
        {words}
      </span>
    );
  }
  const show = (): void => {
    document.querySelector(`[data-ts="${seconds}.${rest ?? ''}"]`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <button type="button" class="link" onClick={show}>
      {words}
    </button>
  );
}
