const collator = new Intl.Collator('en', { numeric: true });

/** The order in which names are listed: `web-2` before `web-10`. */
export function byName(one: string, other: string): number {
  return collator.compare(one, other);
}
