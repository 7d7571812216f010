/** A JSON object of which nothing more is known. */
export type Json = { [key: string]: unknown };

/** True for a JSON object; false for an array, null and every scalar. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The objects in an array; anything else is left out. */
export function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value if it is a string. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string, number or boolean as text; empty for anything else. */
export function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';
}

/** A copy without the keys whose value is undefined, as JSON would leave them out. */
export function compact(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** Reads JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
