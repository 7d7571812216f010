import type { ComponentChildren, JSX } from 'preact';

/** A list under or over a field, one line of which can be taken. `at`: the line that the arrow keys have reached. */
export function Popup({
  id,
  label,
  kind = '',
  heading,
  lines,
  at,
  onTake,
}: {
  id: string;
  label: string;
  kind?: string;
  heading?: string | undefined;
  lines: readonly ComponentChildren[];
  at: number;
  onTake: (index: number) => void;
}): JSX.Element {
  return (
    <div role="listbox" id={`${id}-list`} class={`popup ${kind}`} aria-label={label}>
      {heading !== undefined && <p class="heading">{heading}</p>}
      {lines.map((line, index) => (
        <div
          key={index}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(index)}
        >
          {line}
        </div>
      ))}
    </div>
  );
}

/** Where an arrow key leads from a line among so many, from none (-1) as well; undefined for any other key. */
export function moved(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % Math.max(1, count);
  if (key === 'ArrowUp') return at <= 0 ? Math.max(0, count - 1) : at - 1;
  return undefined;
}
