import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useActing } from '../acting.ts';
import type { OptionOfPage } from '../../wire.ts';
import type { ElementProps } from './button.tsx';
import { labelOf } from './json.ts';
import { useOutside } from '../use-outside.ts';

const PAUSE_MS = 150;

/** A select with type-ahead, whose options the bot gives. `onChosen`: in place of telling the bot, where it is a field. */
export function Select({
  element,
  spot,
  id: fieldId,
  onChosen,
}: ElementProps & { id?: string; onChosen?: (value: string) => void }): JSX.Element {
  const { act, search } = useActing();
  const [typed, setTyped] = useState('');
  const [options, setOptions] = useState<readonly OptionOfPage[]>();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useOutside(root, isOpen, () => setOpen(false));
  useEffect(() => {
    if (!isOpen) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void search(spot, typed).then((found) => {
        if (isOver) return;
        setOptions(found);
        setAt(0);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen, typed]);
  const choose = (option: OptionOfPage): void => {
    setOpen(false);
    setTyped(option.label);
    if (onChosen) onChosen(option.value);
    else void act({ do: 'choose', ...spot, value: option.value });
  };
  const move = (event: KeyboardEvent): void => {
    const { length } = options ?? [];
    const chosen = options?.[at];
    if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, length));
    else if (event.key === 'ArrowUp') setAt((at + length - 1) % Math.max(1, length));
    else if (event.key === 'Enter' && isOpen && chosen) choose(chosen);
    else return;
    setOpen(event.key.startsWith('Arrow'));
    event.preventDefault();
  };
  return (
    <div class="select" ref={root}>
      <input
        id={fieldId}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-options`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options?.[at] ? `${id}-${at}` : undefined}
        aria-label={labelOf(element['placeholder'])}
        placeholder={labelOf(element['placeholder'])}
        autocomplete="off"
        value={typed}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onChosen?.('');
          setOpen(true);
        }}
        onKeyDown={move}
      />
      {isOpen && options && <Options id={id} all={options} at={at} onChoose={choose} />}
    </div>
  );
}

/** What a select offers, under it. */
export function Options({
  id,
  all,
  at,
  onChoose,
}: {
  id: string;
  all: readonly OptionOfPage[];
  at: number;
  onChoose: (one: OptionOfPage) => void;
}): JSX.Element {
  return (
    <div role="listbox" id={`${id}-options`} class="popup" aria-label="Options">
      {all[0]?.heading !== undefined && <p class="heading">{all[0].heading}</p>}
      {all.length === 0 && <p class="heading">No results</p>}
      {all.map((option, index) => (
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </div>
      ))}
    </div>
  );
}
