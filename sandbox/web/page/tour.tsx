import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TourStep } from '../wire.ts';
import { useActing } from './acting.ts';

const STEPS: Readonly<Record<TourStep, { readonly title: string; readonly look: string }>> = {
  restart: {
    title: 'A restart',
    look: 'One message is edited until it shows the end. The end is also a reply in its thread.',
  },
  twice: {
    title: 'The same restart by two people',
    look: 'There is one call and one message. Act as Bob to see what he reads.',
  },
  lost: {
    title: 'The answer gets lost',
    look: 'The call says "answer lost". The message says what was seen, and nothing is sent twice.',
  },
  force: {
    title: 'A machine that ignores its shutdown',
    look: 'After 20 seconds the message offers "Force stop…", which asks before it cuts the power.',
  },
  delete: {
    title: 'A deletion, cancelled',
    look: 'Ana confirms it by name. Bob presses Cancel in time, and the service is asked for nothing.',
  },
  low: {
    title: 'The balance runs low',
    look: 'One message says how long it lasts. Press "I\'m on it", or "Buy time".',
  },
  kill: {
    title: 'Kill the bot in the middle of a restart',
    look: 'Another process goes on: one call, one message, one reply.',
  },
};

/** What there is to see, one press each. */
export function Tour({ steps, onPlayed }: { steps: readonly TourStep[]; onPlayed: () => void }): JSX.Element {
  const { act } = useActing();
  const [last, setLast] = useState<TourStep>();
  const [busy, setBusy] = useState<TourStep>();
  const play = async (step: TourStep): Promise<void> => {
    setLast(step);
    setBusy(step);
    onPlayed();
    await act({ do: 'tour', step });
    setBusy(undefined);
  };
  return (
    <ol class="tour">
      {steps.map((step) => (
        <li key={step}>
          <button
            type="button"
            class="button"
            aria-busy={busy === step}
            disabled={busy !== undefined}
            onClick={() => void play(step)}
          >
            {STEPS[step].title}
          </button>
          {last === step && <p class="quiet">{STEPS[step].look}</p>}
        </li>
      ))}
    </ol>
  );
}
