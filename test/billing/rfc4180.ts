/** The rows of a CSV file, read as strictly as RFC 4180 is written. Throws for whatever it doesn't allow. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const bare = /[^",\r\n]*/y;
    const pattern = text[at] === '"' ? quoted : bare;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw new Error(`an open quote at ${at}`);
    row.push(pattern === quoted ? (found[1] ?? '').replaceAll('""', '"') : found[0]);
    at = pattern.lastIndex;
    if (text[at] === ',') {
      at += 1;
    } else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`neither a comma nor the end of a line at ${at}`);
  }
  if (row.length > 0) throw new Error('the last line has no end');
  return rows;
}
