/** Slack nests less deep than this; what lies deeper is nothing that is read. */
const MAX_DEPTH = 60;

/**
 * What Slack sent or answered, with null counting as absent wherever it stands: Slack writes either for the same, and
 * whoever reads it needs to think of one. Pure, and never throws: what is nested without an end is cut off.
 */
export function withoutNulls<Part>(part: Part): Part {
  return strip(part, 0) as Part;
}

function strip(part: unknown, depth: number): unknown {
  if (part === null || typeof part !== 'object') return part;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(part))
    return part.filter((one) => one !== null).map((one: unknown) => strip(one, depth + 1));
  return Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== null)
      .map(([name, value]: [string, unknown]) => [name, strip(value, depth + 1)]),
  );
}
