import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { OptionOfPage } from '../../wire.ts';
import { useActing } from '../acting.ts';
import { useOutside } from '../use-outside.ts';
import type { ElementProps } from './button.tsx';
import { labelOf } from './json.ts';
import { Options } from './select.tsx';

const PAUSE_MS = 150;

/** A select of several with type-ahead: what is picked stands before the field, and a press takes it out again. */
export function MultiSelect({
  element,
  spot,
  onPick,
}: ElementProps & { readonly onPick?: (picked: string) => void }): JSX.Element {
  const { act, search } = useActing();
  const [typed, setTyped] = useState('');
  const [options, setOptions] = useState<readonly OptionOfPage[]>();
  const [picked, setPicked] = useState<readonly OptionOfPage[]>([]);
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useOutside(root, isOpen, () => setOpen(false));
  useEffect(() => {
    if (!isOpen) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void search(spot, typed).then((found) => {
        if (!isOver) setOptions(found);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen, typed]);
  const pick = (all: readonly OptionOfPage[]): void => {
    setPicked(all);
    setTyped('');
    const value = all.map((one) => one.value).join(',');
    onPick?.(value);
    void act({ do: 'choose', ...spot, value });
  };
  const left = options?.filter(({ value }) => !picked.some((one) => one.value === value));
  return (
    <div class="select" ref={root}>
      {picked.map((option) => (
        <button
          key={option.value}
          type="button"
          class="plain-button"
          aria-label={`Take out ${option.label}`}
          onClick={() => pick(picked.filter((one) => one !== option))}
        >
          {option.label} ✕
        </button>
      ))}
      <input
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-options`}
        aria-autocomplete="list"
        aria-label={labelOf(element['placeholder'])}
        placeholder={labelOf(element['placeholder'])}
        autocomplete="off"
        value={typed}
        onFocus={() => setOpen(true)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          const [first] = left ?? [];
          if (event.key === 'Escape') setOpen(false);
          else if (event.key === 'Enter' && isOpen && first) pick([...picked, first]);
        }}
      />
      {isOpen && left && (
        <Options id={id} all={left} at={0} onChoose={(option) => pick([...picked, option])} />
      )}
    </div>
  );
}
