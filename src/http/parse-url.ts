/** A URL, or undefined where the text is none. The platform's own URL.parse is younger than Node 20.18. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
