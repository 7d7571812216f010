import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useActing } from '../acting.ts';
import { type ElementProps, leadsTo } from './button.tsx';
import { labelOf, records, textOf } from './json.ts';
import { useOutside } from '../use-outside.ts';

/** The three dots, and the lines behind them. */
export function Overflow({ element, spot }: ElementProps): JSX.Element {
  const { act, tell } = useActing();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useOutside(root, isOpen, () => setOpen(false));
  const move = (event: KeyboardEvent): void => {
    const lines = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = lines.findIndex((line) => line === document.activeElement);
    if (event.key === 'Escape') {
      setOpen(false);
      root.current?.querySelector('button')?.focus();
    } else if (event.key === 'ArrowDown') lines[(at + 1) % lines.length]?.focus();
    else if (event.key === 'ArrowUp') lines.at(at - 1)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div class="overflow" ref={root} onKeyDown={move}>
      <button
        type="button"
        class="button dots"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && (
        <div role="menu" class="popup" aria-label="More actions">
          {records(element['options']).map((option) => (
            <button
              key={textOf(option, 'value')}
              type="button"
              role="menuitem"
              onClick={() => {
                setOpen(false);
                const url = textOf(option, 'url');
                if (url !== '') tell(leadsTo(url));
                void act({ do: 'press', ...spot, value: textOf(option, 'value') });
              }}
            >
              {labelOf(option['text'])}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
