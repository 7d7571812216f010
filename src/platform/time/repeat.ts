import { asError } from '../log/as-error.ts';

/**
 * Runs `works` one after another, again and again with a pause of `everyMs` after each round. A fault is told and
 * ends nothing. Gives a function that stops it.
 */
export function repeat(
  everyMs: number,
  works: readonly (() => Promise<void>)[],
  onError: (error: Error) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const round = async (): Promise<void> => {
    for (const work of works) {
      try {
        if (!isStopped) await work();
      } catch (error) {
        onError(asError(error));
      }
    }
    if (!isStopped) timer = setTimeout(() => void round(), everyMs);
  };
  void round();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
