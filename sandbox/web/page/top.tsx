import type { JSX } from 'preact';

/** The bar over the page. */
export function Top({
  name,
  isMenu,
  isCurtain,
  onMenu,
  onCurtain,
}: {
  name: string;
  isMenu: boolean;
  isCurtain: boolean;
  onMenu: () => void;
  onCurtain: () => void;
}): JSX.Element {
  return (
    <div class="top">
      <button type="button" class="menu-button" aria-label="Channels" aria-expanded={isMenu} onClick={onMenu}>
        ☰
      </button>
      <span class="top-name">{name}</span>
      <button type="button" class="curtain-button" aria-expanded={isCurtain} onClick={onCurtain}>
        What really happened
      </button>
    </div>
  );
}
