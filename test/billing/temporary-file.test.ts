import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { DiskError, withTemporaryFile } from '../../src/features/billing/transactions/temporary-file.ts';

vi.mock('node:fs/promises', { spy: true });
const openFile = vi.mocked(fs.open);

let folder = '';
beforeEach(() => {
  openFile.mockClear();
  folder = mkdtempSync(join(tmpdir(), 'lamp-file-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
});

/** The handle that the last file was opened with. */
async function handle(): Promise<fs.FileHandle> {
  const opened = await openFile.mock.results.at(-1)?.value;
  if (!opened) throw new Error('no file was opened');
  return opened;
}

it('nobody else on the machine can read the file', async () => {
  // Whatever the process lets others read by default.
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await withTemporaryFile(async (file) => {
    await file.write('secret');
    expect((await (await handle()).stat()).mode & 0o777).toBe(0o600);
  });
});

it('a file that somebody put in its place is neither written to nor read', async () => {
  vi.mocked(fs.mkdtemp).mockImplementationOnce(async (prefix) => {
    const taken = `${prefix}taken`;
    await fs.mkdir(taken);
    await fs.writeFile(join(taken, 'file'), 'theirs');
    return taken;
  });
  const work = vi.fn<() => Promise<void>>();
  await expect(withTemporaryFile(work)).rejects.toThrow(DiskError);
  expect(work).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['done', 'failed'])('the file is closed and gone once the work is %s', async (end) => {
  const work = withTemporaryFile(async (file) => {
    await file.write('a');
    if (end === 'failed') throw new Error('no');
  });
  await work.catch(() => undefined);
  expect((await handle()).fd).toBe(-1);
  expect(readdirSync(folder)).toEqual([]);
});
