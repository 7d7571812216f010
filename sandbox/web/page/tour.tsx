import type { JSX } from 'preact';
import { STEPS } from './tour-steps.ts';
import type { TourOfWindow } from './use-tour.ts';

/** What there is to see, one press each. */
export function Tour({ tour: { steps, step, isBusy, play } }: { tour: TourOfWindow }): JSX.Element {
  return (
    <ol class="tour">
      {steps.map((each) => (
        <li key={each}>
          <button
            type="button"
            class="button"
            aria-busy={isBusy && each === step}
            disabled={isBusy}
            onClick={() => play(each)}
          >
            {STEPS[each].title}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** What one sees in the step that is played, above all else until it is closed; and the next step. */
export function Guide({
  tour: { steps, step, isBusy, play, close },
  who,
  onPerson,
}: {
  tour: TourOfWindow;
  /** Who looks at it, by handle. */
  who: string;
  onPerson: (handle: string) => void;
}): JSX.Element | null {
  if (!step) return null;
  const { title, look, as } = STEPS[step];
  const next = steps[steps.indexOf(step) + 1];
  return (
    <aside class="notice guide" aria-label="Tour">
      <p role="status">
        <b>{title}.</b> {look}
      </p>
      {as !== undefined && as !== who && (
        <button type="button" class="button" onClick={() => onPerson(as)}>
          Act as {as}
        </button>
      )}
      {next && (
        <button type="button" class="button" disabled={isBusy} onClick={() => play(next)}>
          Next: {STEPS[next].title}
        </button>
      )}
      <button type="button" class="plain-button" aria-label="Close the tour" onClick={close}>
        ✕
      </button>
    </aside>
  );
}
