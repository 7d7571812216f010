/** Fewer digits than a balance can have are never cut. */
const DIGITS = /^\d{1,15}$/;
const FRACTION = /^\d{1,6}$/;

/**
 * What a number can mean that a person typed, as decimals: one where that is certain, none where it is no number, and two
 * where its only separator stands before three digits, since some people separate thousands by it and others the fraction:
 * `1.000`, `1,000`. Digits may be full-width, and spaces or apostrophes separate thousands. Pure.
 */
export function readNumber(typed: string): readonly string[] {
  const text = typed.normalize('NFKC').replace(/(?<=\d)[ \u2009'’](?=\d{3}(?!\d))/g, '_');
  const separators = [...new Set(text.match(/[.,_]/g))];
  if (separators.length === 0) return DIGITS.test(text) ? [text] : [];
  const [first = '', last = first] = separators;
  const [count, ofLast] = [separators.length, text.split(last).length - 1];
  if (count > 2 || (count === 2 && (last === '_' || ofLast > 1))) return [];
  const grouped = (whole: string, by: string): string | undefined => {
    const [head = '', ...rest] = whole.split(by);
    const isGrouped =
      /^[1-9]\d{0,2}$/.test(head) && rest.length > 0 && rest.every((part) => /^\d{3}$/.test(part));
    const digits = [head, ...rest].join('');
    return isGrouped && DIGITS.test(digits) ? digits : undefined;
  };
  if (count === 2) {
    const [before = '', fraction = ''] = text.split(last);
    const whole = grouped(before, first);
    return whole !== undefined && FRACTION.test(fraction) ? [`${whole}.${fraction}`] : [];
  }
  const thousands = grouped(text, first);
  if (first === '_' || ofLast > 1) return thousands === undefined ? [] : [thousands];
  const [whole = '', fraction = ''] = text.split(first);
  const decimal = DIGITS.test(whole) && FRACTION.test(fraction) ? `${whole}.${fraction}` : undefined;
  return [decimal, thousands].filter((one) => one !== undefined);
}
