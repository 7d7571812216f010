import type { JSX } from 'preact';
import type { ApiState } from '../../service/api-switch.ts';
import { useActing } from './acting.ts';

const WORDS: Readonly<Record<Exclude<ApiState, 'answers'>, string>> = {
  slow: 'The hosting API is slow: each answer takes 5 seconds.',
  down: 'The hosting API is down: nothing answers.',
  refuses: 'The hosting API refuses the key of the bot.',
};

/** That the hosting API doesn't answer as it should, while it doesn't, and the press that ends it. */
export function ApiNotice({ state }: { state: ApiState }): JSX.Element | null {
  const { act } = useActing();
  if (state === 'answers') return null;
  return (
    <aside class="notice" aria-label="Hosting API">
      <p role="status">{WORDS[state]}</p>
      <button type="button" class="button" onClick={() => void act({ do: 'api', state: 'answers' })}>
        Have it answer again
      </button>
    </aside>
  );
}
