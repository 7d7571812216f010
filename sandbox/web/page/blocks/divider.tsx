import type { JSX } from 'preact';

/** A line between two parts. */
export function Divider(): JSX.Element {
  return <hr class="divider" />;
}
