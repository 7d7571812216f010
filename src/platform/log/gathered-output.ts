/** Where lines go. */
export interface LineOutput {
  write(line: string): unknown;
  /** Lines that were only gathered are written now. */
  flush?(): void;
}

/**
 * Writes together what is said in one turn of the event loop: each write by itself is a system call. What is left when the
 * process exits is written then.
 */
export function gatherLines(output: LineOutput): Required<LineOutput> {
  let gathered = '';
  const flush = (): void => {
    if (gathered === '') return;
    const lines = gathered;
    gathered = '';
    output.write(lines);
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      if (gathered === '') setImmediate(flush);
      gathered += line;
    },
    flush,
  };
}
