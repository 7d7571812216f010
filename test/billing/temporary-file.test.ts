import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Disk,
  DiskError,
  withTemporaryFile,
} from '../../src/features/billing/transactions/temporary-file.ts';

/** The disk, and the handle that the last file on it was opened with. */
function watchedDisk(over: Partial<Disk> = {}): { disk: Disk; handle: () => fs.FileHandle } {
  let opened: fs.FileHandle | undefined;
  const open: Disk['open'] = async (...args) => (opened = await fs.open(...args));
  return {
    disk: { mkdtemp: fs.mkdtemp, open, ...over },
    handle: () => {
      if (!opened) throw new Error('no file was opened');
      return opened;
    },
  };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lamp-file-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
});

it('nobody else on the machine can read the file', async () => {
  // Whatever the process lets others read by default.
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { disk, handle } = watchedDisk();
  await withTemporaryFile(async (file) => {
    await file.write('secret');
    expect((await handle().stat()).mode & 0o777).toBe(0o600);
  }, disk);
});

it('a file that somebody put in its place is neither written to nor read', async () => {
  const mkdtemp: Disk['mkdtemp'] = async (prefix) => {
    const taken = `${prefix}taken`;
    await fs.mkdir(taken);
    await fs.writeFile(join(taken, 'file'), 'theirs');
    return taken;
  };
  const work = vi.fn<() => Promise<void>>();
  await expect(withTemporaryFile(work, watchedDisk({ mkdtemp }).disk)).rejects.toThrow(DiskError);
  expect(work).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['done', 'failed'])('the file is closed and gone once the work is %s', async (end) => {
  const { disk, handle } = watchedDisk();
  const work = withTemporaryFile(async (file) => {
    await file.write('a');
    if (end === 'failed') throw new Error('no');
    return 'done';
  }, disk);
  expect(await work.catch((error: Error) => error.message)).toBe(end === 'failed' ? 'no' : 'done');
  expect(handle().fd).toBe(-1);
  expect(readdirSync(folder)).toEqual([]);
});
