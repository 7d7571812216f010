import type { JSX } from 'preact';

/** The bar over the page. */
export function Top({
  name,
  isMenu,
  hasNew,
  isCurtain,
  onMenu,
  onCurtain,
}: {
  name: string;
  isMenu: boolean;
  /** Whether there is something new in a place that isn't looked at. */
  hasNew: boolean;
  isCurtain: boolean;
  onMenu: () => void;
  onCurtain: () => void;
}): JSX.Element {
  return (
    <div class="top">
      <button
        type="button"
        class="menu-button"
        aria-label={hasNew ? 'Channels, with something new' : 'Channels'}
        aria-expanded={isMenu}
        onClick={onMenu}
      >
        ☰{hasNew && <span class="new">new</span>}
      </button>
      <span class="top-name">{name}</span>
      <button type="button" class="curtain-button" aria-expanded={isCurtain} onClick={onCurtain}>
        What really happened
      </button>
    </div>
  );
}
