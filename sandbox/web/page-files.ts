import { extname } from 'node:path';
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

/** Builds the page, which takes a second or two. Nothing of it is written to the disk. */
export async function buildPage(): Promise<PageFiles> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: SOURCE,
    build: { write: false, target: 'es2022', modulePreload: { polyfill: false } },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const files = new Map(
    outputs.map((one) => [
      `/${one.fileName}`,
      toFile(one.fileName, one.type === 'chunk' ? one.code : one.source),
    ]),
  );
  return {
    find: (path) => files.get(path === '/' ? '/index.html' : path),
    compressedBytes: [...files.values()].reduce((sum, { compressed }) => sum + compressed.length, 0),
  };
}

function toFile(name: string, content: string | Uint8Array): PageFile {
  const bytes = Buffer.from(content);
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    bytes,
    compressed: brotliCompressSync(bytes),
    isPage: name === 'index.html',
  };
}
