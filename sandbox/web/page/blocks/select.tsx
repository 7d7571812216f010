import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { OptionOfPage } from '../../wire.ts';
import { useActing } from '../acting.ts';
import { moved, Popup } from '../popup.tsx';
import { useOutside } from '../use-outside.ts';
import type { ElementProps } from './button.tsx';
import { labelOf } from './json.ts';

const PAUSE_MS = 150;

interface SelectProps extends ElementProps {
  readonly id?: string;
  readonly onChosen?: (value: string) => void;
}

/**
 * A select with type-ahead, whose options the bot gives. What is picked of several stands before the field, and a press takes it
 * out again. `onChosen`: in place of telling the bot, where it is a field.
 */
export function Select({ element, spot, id: fieldId, onChosen }: SelectProps): JSX.Element {
  const { act, search } = useActing();
  const isForSeveral = element['type'] === 'multi_external_select';
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly OptionOfPage[]>();
  const [picked, setPicked] = useState<readonly OptionOfPage[]>([]);
  const placeholder = labelOf(element['placeholder']);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useOutside(root, isOpen, () => setOpen(false));
  useOptions(isOpen, typed, async (isOver) => {
    const options = await search(spot, typed);
    if (isOver()) return;
    setFound(options);
    setAt(0);
  });
  const options = found?.filter(({ value }) => !picked.some((one) => one.value === value));
  const tell = (value: string): void => {
    onChosen?.(value);
    if (!onChosen || isForSeveral) void act({ do: 'choose', ...spot, value });
  };
  const pick = (all: readonly OptionOfPage[]): void => {
    setPicked(all);
    setTyped('');
    tell(all.map(({ value }) => value).join(','));
  };
  const choose = (option?: OptionOfPage): void => {
    if (!option || isForSeveral) return option && pick([...picked, option]);
    setOpen(false);
    setTyped(option.label);
    tell(option.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = moved(event.key, at, options?.length ?? 0);
    if (next !== undefined) {
      setAt(next);
      setOpen(true);
    } else if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'Enter' && isOpen && options?.[at]) choose(options[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="select" ref={root}>
      <Picked all={picked} onLeft={pick} />
      <input
        id={fieldId}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options?.[at] ? `${id}-${at}` : undefined}
        aria-label={placeholder}
        placeholder={placeholder}
        autocomplete="off"
        value={typed}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          if (!isForSeveral) onChosen?.('');
          setOpen(true);
        }}
        onKeyDown={onKey}
      />
      {isOpen && options && (
        <Popup
          id={id}
          label="Options"
          heading={options.length === 0 ? 'No results' : options[0]?.heading}
          lines={options.map(({ label }) => label)}
          at={at}
          onTake={(index) => choose(options[index])}
        />
      )}
    </div>
  );
}

/** Searches a moment after the last key, while the list is open. */
function useOptions(isOpen: boolean, typed: string, find: (isOver: () => boolean) => Promise<void>): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    let isOver = false;
    const timer = setTimeout(() => void find(() => isOver), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen, typed]);
}

function Picked({
  all,
  onLeft,
}: {
  all: readonly OptionOfPage[];
  onLeft: (left: readonly OptionOfPage[]) => void;
}): JSX.Element {
  return (
    <>
      {all.map((option) => (
        <button
          key={option.value}
          type="button"
          class="plain-button"
          aria-label={`Take out ${option.label}`}
          onClick={() => onLeft(all.filter((one) => one !== option))}
        >
          {option.label} ✕
        </button>
      ))}
    </>
  );
}
