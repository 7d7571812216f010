/** A whole number above zero of a query; undefined for anything else that was sent. */
export function readCount(text: string | null, otherwise: number): number | undefined {
  if (text === null) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
