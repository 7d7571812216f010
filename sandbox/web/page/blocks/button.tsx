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

/** Where a press would lead in Slack. */
export function leadsTo(url: string): string {
  return `In Slack this opens ${url}. Here it stays closed.`;
}

export function Button({ element, spot }: ElementProps): JSX.Element {
  const { act, tell } = useActing();
  const url = textOf(element, 'url');
  const [isBusy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    await act({ do: 'press', ...spot });
    setBusy(false);
    if (url !== '') tell(leadsTo(url));
  };
  return (
    <button
      type="button"
      class={`button ${textOf(element, 'style')}`}
      role={url === '' ? undefined : 'link'}
      title={url === '' ? undefined : url}
      aria-label={textOf(element, 'accessibility_label') || undefined}
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={() => void press()}
    >
      {labelOf(element['text'])}
      {url !== '' && <span aria-hidden="true"> ↗&#xFE0E;</span>}
    </button>
  );
}
