import type { JSX } from 'preact';
import type { PromptOfPage } from '../wire.ts';
import { useActing } from './acting.ts';

/** Lines that are said with one press. */
export function Prompts({
  prompts,
  where,
}: {
  prompts: readonly PromptOfPage[];
  /** The id of the channel. */
  where: string;
}): JSX.Element | null {
  const { act } = useActing();
  if (prompts.length === 0) return null;
  return (
    <ul class="prompts" aria-label="Suggested prompts">
      {prompts.map(({ title, message }) => (
        <li key={title}>
          <button
            type="button"
            class="button"
            title={message}
            onClick={() => void act({ do: 'type', where, text: message })}
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What can be tried in a channel in which nobody has said anything. */
export function starters(botHandle: string): readonly PromptOfPage[] {
  return [`@${botHandle} what's down?`, '/instances', '/billing'].map((message) => ({
    title: message,
    message,
  }));
}
