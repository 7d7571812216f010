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
  return [`@${botHandle} what's down?`, '/instances', '/billing'].map(promptOf);
}

/** What Slackbot can be asked. */
export const ASKS: readonly PromptOfPage[] = [
  'what runs?',
  'restart web-1 because deploy 41',
  'what became of it?',
].map(promptOf);

function promptOf(message: string): PromptOfPage {
  return { title: message, message };
}
