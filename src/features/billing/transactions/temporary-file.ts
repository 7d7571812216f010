import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A file that only this process sees, to be written from its beginning to its end and then read. */
export interface TemporaryFile {
  readonly lengthBytes: number;
  write(text: string): Promise<void>;
  /** Its bytes from the beginning, as they are asked for. */
  read(): Readable;
}

/** The disk did not take what was to be written. `code` is the system's, like ENOSPC. */
export class DiskError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    super(`writing a temporary file: ${code}`, { cause });
    this.name = 'DiskError';
    this.code = code;
  }
}

/** What is asked of the file system. */
export interface Disk {
  readonly mkdtemp: (prefix: string) => Promise<string>;
  readonly open: (path: string, flags: string, mode: number) => Promise<FileHandle>;
}

/** Gives `work` a file, and takes it away whatever becomes of that. Throws DiskError, and what `work` throws. */
export async function withTemporaryFile<T>(
  work: (file: TemporaryFile) => Promise<T>,
  disk: Disk = { mkdtemp, open },
): Promise<T> {
  const folder = await onDisk(disk.mkdtemp(join(tmpdir(), 'lamplighter-')));
  try {
    const handle = await onDisk(disk.open(join(folder, 'file'), 'wx+', 0o600));
    try {
      // A file that is open needs no name, and what has none is gone with a process that is killed.
      await rm(folder, { recursive: true }).catch(() => undefined);
      let lengthBytes = 0;
      return await work({
        get lengthBytes() {
          return lengthBytes;
        },
        write: async (text) => {
          const bytes = Buffer.from(text, 'utf8');
          await onDisk(handle.appendFile(bytes));
          lengthBytes += bytes.length;
        },
        read: () => handle.createReadStream({ start: 0, autoClose: false }),
      });
    } finally {
      await handle.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onDisk<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    throw new DiskError(error);
  }
}
