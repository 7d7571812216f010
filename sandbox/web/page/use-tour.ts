import { useState } from 'preact/hooks';
import type { TourStep } from '../wire.ts';
import type { Acting } from './acting.ts';

/** The tour as one window plays it. */
export interface TourOfWindow {
  readonly steps: readonly TourStep[];
  /** The step that is explained; undefined before the first and once it was closed. */
  readonly step: TourStep | undefined;
  /** Whether what people do in it is still under way. */
  readonly isBusy: boolean;
  play(step: TourStep): void;
  close(): void;
}

/** `onStart` is called before each step, to bring what happens in it into view. */
export function useTour({ act }: Acting, steps: readonly TourStep[], onStart: () => void): TourOfWindow {
  const [step, setStep] = useState<TourStep>();
  const [isBusy, setBusy] = useState(false);
  const play = async (next: TourStep): Promise<void> => {
    onStart();
    setStep(next);
    setBusy(true);
    await act({ do: 'tour', step: next });
    setBusy(false);
  };
  return { steps, step, isBusy, play: (next) => void play(next), close: () => setStep(undefined) };
}
