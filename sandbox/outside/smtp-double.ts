import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * What the mail server does with the next mail: refuses it with a code, breaks off before it or once it has all of it, or answers
 * nothing then.
 */
type MailFault = `refuse ${number}` | 'close before data' | 'close after data' | 'no answer';

/** A mail server on this machine alone, which keeps what it takes. */
export interface SmtpDouble {
  readonly url: string;
  /** The mails of which it has all, as they came: also those that it never answered. */
  readonly mails: readonly string[];
  failNext(...faults: MailFault[]): void;
  close(): Promise<void>;
}

const END = '\r\n.\r\n';

export async function openSmtpDouble(): Promise<SmtpDouble> {
  const mails: string[] = [];
  const faults: MailFault[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    serve(socket, mails, faults);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a string
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    failNext: (...next) => void faults.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** One conversation: greetings, the envelope, then a mail up to the line with a dot. */
function serve(socket: Socket, mails: string[], faults: MailFault[]): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let text = '';
  let isMail = false;
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'DATA' && faults[0] === 'close before data') {
      faults.shift();
      socket.destroy();
    } else if (verb === 'DATA') {
      isMail = true;
      say('354 go on');
    } else say(verb === 'QUIT' ? '221 bye' : '250 ok');
  };
  const mail = (whole: string): void => {
    isMail = false;
    mails.push(whole);
    const fault = faults.shift();
    if (fault === 'close after data') socket.destroy();
    else if (fault?.startsWith('refuse')) {
      mails.pop();
      say(`${fault.slice('refuse '.length)} no`);
    } else if (fault !== 'no answer') say('250 taken');
  };
  const take = (): boolean => {
    const end = text.indexOf(isMail ? END : '\r\n');
    if (end === -1) return false;
    const [one, length] = [text.slice(0, end), isMail ? END.length : 2];
    text = text.slice(end + length);
    if (isMail) mail(one);
    else command(one);
    return true;
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    while (take());
  });
  say('220 double');
}
