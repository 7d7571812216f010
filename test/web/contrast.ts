import type { Page } from 'playwright-core';

/** The least contrast of words and what is behind them, as WCAG 2.2 asks of text of any size in AA. */
const LEAST = 4.5;
const SCHEMES = ['light', 'dark'] as const;

/**
 * The words in a page that stand out too little from what is behind them, in the light and in the dark, each with its
 * contrast. What is typed, placeholders and what is disabled count too; pictures of signs don't.
 */
export async function faint(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const words = await page.evaluate(faintWords, LEAST);
    found.push(...words.map((one) => `${where}, ${colorScheme}: ${one}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** Runs in the page. */
function faintWords(least: number): string[] {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (css: string): Color => {
    if (!canvas) throw new Error('no canvas');
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a]: Color, [under, underG, underB]: Color): Color => [
    r * a + under * (1 - a),
    g * a + underG * (1 - a),
    b * a + underB * (1 - a),
    1,
  ];
  const luminance = ([red, green, blue]: Color): number => {
    const [r = 0, g = 0, b = 0] = [red, green, blue]
      .map((part) => part / 255)
      .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: Color, other: Color): number => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const faded = ([r, g, b, a]: Color, by: number): Color => [r, g, b, a * by];
  /** What is behind an element, and how much of itself is seen. */
  const behind = (element: Element | null): { color: Color; opacity: number } => {
    if (!element) return { color: [255, 255, 255, 1], opacity: 1 };
    // A modal stands over all else.
    const under = behind(element.parentElement);
    const style = getComputedStyle(element);
    const opacity = under.opacity * Number(style.opacity);
    return { color: over(faded(read(style.backgroundColor), opacity), under.color), opacity };
  };
  const found = new Set<string>();
  const judge = (element: Element, words: string, css: string, opacity = 1): void => {
    const isSign = !/[\p{L}\p{N}]/u.test(words) && /\p{Emoji_Presentation}|\uFE0F|🏮/u.test(words);
    if (words.trim() === '' || isSign) return;
    const back = behind(element);
    const ratio = contrast(over(faded(read(css), back.opacity * opacity), back.color), back.color);
    if (ratio < least)
      found.add(
        `${ratio.toFixed(2)} ${element.tagName.toLowerCase()}.${element.className} ${JSON.stringify(words.trim().slice(0, 40))}`,
      );
  };
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (element && isSeen(element)) judge(element, node.textContent ?? '', getComputedStyle(element).color);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
    if (!isSeen(field)) continue;
    const isEmpty = field.value === '';
    const style = getComputedStyle(field, isEmpty ? '::placeholder' : undefined);
    judge(field, isEmpty ? field.placeholder : field.value, style.color, isEmpty ? Number(style.opacity) : 1);
  }
  return [...found];
}
