/** A file in a message, with its bytes as they were uploaded. */
export interface PostedFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly bytes: Buffer;
}

/** What was asked for, and where it stands: an upload is known by its ticket until its bytes are there. */
interface Upload {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  bytes: Buffer | undefined;
}

/** Files on their way into the workspace: announced, then uploaded, then completed, once each. */
export class Files {
  readonly #nextId: (prefix: string) => string;
  readonly #byTicket = new Map<string, Upload>();

  constructor(nextId: (prefix: string) => string) {
    this.#nextId = nextId;
  }

  /** Gives the file's id and the last part of the URL that takes its bytes. */
  announce(name: string, length: number): { id: string; ticket: string } {
    const id = this.#nextId('F');
    const ticket = this.#nextId('upload-');
    this.#byTicket.set(ticket, { id, name, length, bytes: undefined });
    return { id, ticket };
  }

  /** Takes the bytes; says what is wrong with them, if anything. */
  receive(ticket: string, bytes: Buffer): 'taken' | 'unknown ticket' | 'wrong length' {
    const upload = this.#byTicket.get(ticket);
    if (!upload || upload.bytes) return 'unknown ticket';
    if (upload.length !== bytes.length) return 'wrong length';
    upload.bytes = bytes;
    return 'taken';
  }

  /** A file whose bytes are there and that nobody completed yet. */
  findReceived(id: string): Omit<PostedFile, 'title'> | undefined {
    const upload = [...this.#byTicket.values()].find((one) => one.id === id);
    return upload?.bytes && { id, name: upload.name, bytes: upload.bytes };
  }

  /** From now on the file is in the workspace, and its id names no upload any more. */
  complete(id: string): void {
    for (const [ticket, upload] of this.#byTicket) if (upload.id === id) this.#byTicket.delete(ticket);
  }
}
