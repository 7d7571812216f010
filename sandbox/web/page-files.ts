import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** The built page, in memory. */
export interface PageFiles {
  /** By its path; undefined for what there isn't. */
  find(path: string): PageFile | undefined;
  /** All that the page loads, compressed, in bytes. */
  readonly compressedBytes: number;
}

interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer;
  /** Whether it is the page itself, which every other file is loaded by. */
  readonly isPage: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const SOURCE = fileURLToPath(new URL('./page', import.meta.url));
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/lamplighter-page', import.meta.url));

/** Builds the page, which takes a second or two, and reads it. */
export async function buildPage(): Promise<PageFiles> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: SOURCE,
    build: { outDir: BUILT, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  const paths = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => extname(path) in TYPES,
  );
  const files = new Map(paths.map((path) => [`/${path}`, readPageFile(path)]));
  return {
    find: (path) => files.get(path === '/' ? '/index.html' : path),
    compressedBytes: [...files.values()].reduce((sum, { compressed }) => sum + compressed.length, 0),
  };
}

function readPageFile(path: string): PageFile {
  const bytes = readFileSync(join(BUILT, path));
  return {
    type: TYPES[extname(path)] ?? '',
    bytes,
    compressed: brotliCompressSync(bytes),
    isPage: path === 'index.html',
  };
}
