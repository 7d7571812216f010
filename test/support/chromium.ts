import { findChromium } from '../../sandbox/web/chromium.ts';

/** Before the tests in a browser: Chromium, installed once, before there are files that run beside one another. */
export default function setup(): void {
  findChromium();
}
