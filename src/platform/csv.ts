/** RFC 4180: cells apart by commas, lines ended by CR LF, quoted where they must be. */

/**
 * What a spreadsheet would run when it opens the file, full-width signs and what is hidden before them included.
 * What begins with a control character is meant to look like something else, so it counts too.
 */
const STARTS_FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@＝＋－＠])/u;
/** Nothing that a spreadsheet could run: it stays a number that can be summed up. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One line of the file, with its end. Every cell is foreign text: none of them starts a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const safe = STARTS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
