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

/**
 * A link. What leads into this Slack or to a host that doesn't exist is drawn and leads nowhere: the page asks nobody but
 * its own server.
 */
export function Link({ url, label }: { url: string; label: string }): JSX.Element {
  return (
    <span class="link" title={url}>
      {label === '' ? url : label}
    </span>
  );
}
