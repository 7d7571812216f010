/** Writes `&`, `<` and `>` as Slack does, so that they mark nothing. */
export function encode(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Turns `&lt;`, `&gt;` and `&amp;` back. */
export function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
