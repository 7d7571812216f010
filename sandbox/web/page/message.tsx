import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import type { MessageOfPage } from '../wire.ts';
import { useActing } from './acting.ts';
import { Blocks } from './blocks/index.tsx';
import { Mrkdwn } from './blocks/mrkdwn.tsx';
import { avatarOf, nameOf } from './names.ts';
import { Posted } from './time.tsx';

export interface MessageProps {
  readonly message: MessageOfPage;
  /** Whether it follows another of the same author, so that their name is not repeated. */
  readonly follows: boolean;
  readonly replies: number;
  readonly onThread?: ((ts: string) => void) | undefined;
}

/** One message as Slack shows it. */
export const Message = memo(function Message({
  message,
  follows,
  replies,
  onThread,
}: MessageProps): JSX.Element {
  const { workspace } = useActing();
  const author = nameOf(workspace, message.user);
  const isBot = message.user === workspace.bot.id;
  const { text, color } = avatarOf(workspace, message.user);
  const isShort = follows && !message.isEphemeral;
  return (
    <article
      class={`message ${message.isEphemeral ? 'ephemeral' : ''} ${isShort ? 'follows' : ''}`}
      data-ts={message.ts}
      aria-label={`${author}${message.isEphemeral ? ', only visible to you' : ''}`}
    >
      {isShort ? <Gutter ts={message.ts} /> : <Avatar text={text} color={color} />}
      <div class="content">
        {message.isEphemeral && <p class="only-you">👁 Only visible to you</p>}
        {!isShort && (
          <p class="head">
            <b>{author}</b>
            {isBot && <span class="app">APP</span>}
            <Posted ts={message.ts} />
          </p>
        )}
        {message.blocks.length > 0 ? (
          <Blocks blocks={message.blocks} target={message.ts} />
        ) : (
          message.text !== '' && (
            <p class="plain">
              <Mrkdwn text={message.text} />
            </p>
          )
        )}
        {message.files.map((file) => (
          <File key={file.id} file={file} />
        ))}
        {message.isEdited && <span class="edited">(edited)</span>}
        {replies > 0 && onThread && (
          <button type="button" class="replies" onClick={() => onThread(message.ts)}>
            {replies} {replies === 1 ? 'reply' : 'replies'} <span class="quiet">View thread</span>
          </button>
        )}
      </div>
      {!message.isEphemeral && <Actions ts={message.ts} onThread={onThread} />}
    </article>
  );
});

/** What can be done with a message: its thread, and the shortcuts of the bot. */
function Actions({ ts, onThread }: { ts: string; onThread: MessageProps['onThread'] }): JSX.Element {
  const { workspace, act } = useActing();
  return (
    <div class="message-actions">
      {workspace.shortcuts
        .filter(({ on }) => on === 'message')
        .map(({ name, callbackId }) => (
          <button
            key={callbackId}
            type="button"
            aria-label={name}
            title={name}
            onClick={() => void act({ do: 'shortcut', callbackId, message: ts })}
          >
            ⚡
          </button>
        ))}
      {onThread && (
        <button
          type="button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => onThread(ts)}
        >
          💬
        </button>
      )}
    </div>
  );
}

function Avatar({ text, color }: { text: string; color: number }): JSX.Element {
  return (
    <span class={`avatar color-${color}`} aria-hidden="true">
      {text}
    </span>
  );
}

function Gutter({ ts }: { ts: string }): JSX.Element {
  return (
    <span class="gutter" aria-hidden="true">
      <Posted ts={ts} />
    </span>
  );
}

function File({ file }: { file: MessageOfPage['files'][number] }): JSX.Element {
  const { workspace } = useActing();
  const kilobytes = Math.max(1, Math.round(file.bytes / 1024));
  return (
    <a class="file" href={`/api/files/${file.id}?as=${workspace.me.handle}`} download={file.title}>
      <span aria-hidden="true">📄</span>
      <span>
        <b>{file.title}</b>
        <span class="quiet">{kilobytes} kB · Download</span>
      </span>
    </a>
  );
}
