import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TourStep } from '../wire.ts';
import { useActing } from './acting.ts';

const STEPS: readonly { readonly step: TourStep; readonly title: string; readonly look: string }[] = [
  {
    step: 'restart',
    title: 'A restart',
    look: 'One message is edited until it shows the end. The end is also a reply in its thread.',
  },
  {
    step: 'twice',
    title: 'The same restart by two people',
    look: 'There is one call and one message. Act as Bob to see what he reads.',
  },
  {
    step: 'lost',
    title: 'The answer gets lost',
    look: 'The call says "answer lost". The message says what was seen, and nothing is sent twice.',
  },
  {
    step: 'delete',
    title: 'A deletion, cancelled',
    look: 'Ana confirms it by name. Bob presses Cancel in time, and the service is asked for nothing.',
  },
  {
    step: 'low',
    title: 'The balance runs low',
    look: 'One message says how long it lasts. Press "I\'m on it", or "Buy time".',
  },
  {
    step: 'kill',
    title: 'Kill the bot in the middle of a restart',
    look: 'Another process goes on: one call, one message, one reply.',
  },
];

/** Six things to see, one press each. */
export function Tour({ onPlayed }: { onPlayed: () => void }): JSX.Element {
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
      {STEPS.map(({ step, title, look }) => (
        <li key={step}>
          <button
            type="button"
            class="button"
            aria-busy={busy === step}
            disabled={busy !== undefined}
            onClick={() => void play(step)}
          >
            {title}
          </button>
          {last === step && <p class="quiet">{look}</p>}
        </li>
      ))}
    </ol>
  );
}
