import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file with this text, which is gone after the test. Gives its path. */
export function fileWith(content: string, name = 'file'): string {
  const folder = mkdtempSync(join(tmpdir(), 'file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
