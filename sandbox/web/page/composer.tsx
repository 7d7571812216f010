import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { WorkspaceOfPage } from '../wire.ts';
import { useActing } from './acting.ts';
import { moved, Popup } from './popup.tsx';
import { type Suggestion, suggest } from './suggest.ts';

interface ComposerProps {
  readonly label: string;
  readonly where: string;
  readonly thread?: string;
}

/** Where a person types. Slash commands are completed with what can follow them. */
export function Composer({ label, where, thread }: ComposerProps): JSX.Element {
  const { act, tell, workspace } = useActing();
  const hasTold = useRef(false);
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const [isHidden, setHidden] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const suggestions = isHidden ? [] : suggest(workspace, text, thread !== undefined);
  const change = (next: string): void => {
    setText(next);
    setAt(-1);
    setHidden(false);
  };
  const take = ({ completed }: Suggestion): void => {
    change(completed);
    box.current?.focus();
  };
  const send = (): void => {
    const line = text.trim();
    if (line === '') return;
    change('');
    void act({ do: 'type', where, text: line, thread });
    if (hasTold.current || isHeard(workspace, where, line)) return;
    hasTold.current = true;
    tell(
      `In a channel ${workspace.bot.name} reads only what mentions it: begin with @${workspace.bot.handle}.`,
    );
  };
  const onKey = (event: KeyboardEvent): void => {
    const chosen = suggestions[at];
    const { length, 0: first } = suggestions;
    const next = moved(event.key, at, length);
    if (event.key === 'Enter' && !event.shiftKey) {
      if (chosen) take(chosen);
      else send();
    } else if (event.key === 'Tab' && !event.shiftKey && first) take(chosen ?? first);
    else if (next !== undefined && first) setAt(next);
    else if (event.key === 'Escape' && length > 0) setHidden(true);
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Suggestions id={id} all={suggestions} at={at} onTake={take} />
      <textarea
        ref={box}
        rows={1}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder={label}
        autocapitalize="sentences"
        enterkeyhint="send"
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <button type="submit" class="send" aria-label="Send" disabled={text.trim() === ''}>
        ➤
      </button>
    </form>
  );
}

/** Whether the bot, or Slackbot, is told of a line there. */
function isHeard({ bot, dm, slackbot }: WorkspaceOfPage, where: string, line: string): boolean {
  return where === dm.id || where === slackbot.id || line.startsWith('/') || line.includes(`@${bot.handle}`);
}

interface SuggestionsProps {
  readonly id: string;
  readonly all: readonly Suggestion[];
  readonly at: number;
  readonly onTake: (one: Suggestion) => void;
}

function Suggestions({ id, all, at, onTake }: SuggestionsProps): JSX.Element | null {
  if (all.length === 0) return null;
  const take = (index: number): void => all.slice(index, index + 1).forEach(onTake);
  const lines = all.map(({ title, usage, about }) => (
    <>
      <b>{title}</b> <span class="quiet">{usage}</span>
      <span class="about">{about}</span>
    </>
  ));
  return <Popup id={id} label="Commands" kind="suggestions" lines={lines} at={at} onTake={take} />;
}
