import type { JSX } from 'preact';

/** Says that the page knows no such thing; a test sees to it that nobody ever reads this. */
export function Undrawn({ what }: { what: unknown }): JSX.Element {
  return <p class="undrawn">This page can't draw: {String(what)}</p>;
}
