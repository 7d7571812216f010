/** Turns `&lt;`, `&gt;` and `&amp;` back. */
export function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
