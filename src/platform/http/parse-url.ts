/**
 * A URL, or undefined where the text is none. The platform's own URL.parse is younger than Node 20.18, and its
 * URL.canParse misreads Latin-1 texts once it has been called some thousand times (seen on 20.20.2).
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
