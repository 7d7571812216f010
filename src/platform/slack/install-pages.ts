/** A page as text, and how it is answered. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly words: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
}

/** Headers of a page that loads nothing, runs nothing and hands its address to nobody: the address holds a code. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A page in HTML. All that stands in it is escaped, and a link leads to http or https only. Pure. */
export function renderPage({ title, words, link }: Omit<Page, 'status'>): string {
  const paragraphs = words.map((one) => `<p>${escapeHtml(one)}</p>`);
  const button =
    link && /^https?:\/\//.test(link.url)
      ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`]
      : [];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}</style>',
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...paragraphs,
    ...button,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}
