import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Calls `leave` once something outside of `root` is pressed or focused, while `isOn`. */
export function useOutside(root: RefObject<HTMLElement | null>, isOn: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const look = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) leave();
    };
    document.addEventListener('pointerdown', look);
    document.addEventListener('focusin', look);
    return () => {
      document.removeEventListener('pointerdown', look);
      document.removeEventListener('focusin', look);
    };
  }, [isOn]);
}
