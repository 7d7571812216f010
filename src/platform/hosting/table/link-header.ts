const MAX_CHARACTERS = 4_000;

/** The target of the first link of a Link header (RFC 8288) that is a `next`; undefined where there is none. */
export function nextInLink(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  let from = 0;
  for (;;) {
    const open = header.indexOf('<', from);
    const close = open === -1 ? -1 : header.indexOf('>', open);
    if (close === -1) return undefined;
    const end = endOfLink(header, close + 1);
    const rel = /(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(header.slice(close + 1, end));
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return header.slice(open + 1, close);
    from = end;
  }
}

/** Where the parameters of a link end: at a comma that is not in quotation marks. */
function endOfLink(header: string, from: number): number {
  let isQuoted = false;
  for (let index = from; index < header.length; index++) {
    if (header[index] === '"') isQuoted = !isQuoted;
    else if (header[index] === ',' && !isQuoted) return index;
  }
  return header.length;
}
