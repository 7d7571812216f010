import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Spot, useActing } from '../acting.ts';
import type { Block } from '../../wire.ts';
import { labelOf, textOf } from './json.ts';

/** An element that a person can use, and where it is. */
export interface ElementProps {
  readonly element: Block;
  readonly spot: Spot;
}

export function Button({ element, spot }: ElementProps): JSX.Element {
  const { act } = useActing();
  const [isBusy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    await act({ do: 'press', ...spot });
    setBusy(false);
  };
  return (
    <button
      type="button"
      class={`button ${textOf(element, 'style')}`}
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={() => void press()}
    >
      {labelOf(element['text'])}
    </button>
  );
}
