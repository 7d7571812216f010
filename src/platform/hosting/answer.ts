/** What a service answered, whatever its status. */
export interface Answer {
  readonly status: number;
  /** Lower-case names, one value each. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or what `readBody` of the adapter read; undefined for an empty body, the text itself where it is neither. */
  readonly body: unknown;
}
