/** A number with as many digits as say something; a dash where there is none. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1);
  return size >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}
