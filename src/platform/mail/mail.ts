import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Courier, DeliveryFault, type Letter, NO_WAY_BY_PROXY, UNKNOWN_OUTCOME } from '../courier.ts';
import { ProxyError } from '../http/connection-fault.ts';
import type { WayOut } from '../http/way-out.ts';

/** How long each step of a mail server may take. */
const STEP_WITHIN_MS = 10_000;
const MAX_SUBJECT = 120;
const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface MailAt {
  /** `smtps://` or `smtp://`, with a user and a password where the server wants them. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly wayOut: Pick<WayOut, 'tunnelTo'>;
  readonly stepWithinMs?: number;
}

/**
 * Hands letters to a mail server. The id of a mail follows from its letter's, so that mail clients show a repeat once; a mail of
 * which nobody can know whether the server took it is not repeated all the same.
 */
export function createMail(at: MailAt): Courier {
  return {
    isRepeatable: false,
    deliver: async (letter) => {
      const raw = await composed(letter, at);
      const connection = await connected(at);
      try {
        await handedOver(connection, at, raw);
      } finally {
        connection.close();
      }
    },
  };
}

/** Whether the server lets the bot in, without a mail: throws a DeliveryFault. */
export async function tryMail(at: MailAt): Promise<void> {
  const connection = await connected(at);
  connection.close();
}

function composed({ id, at, text }: Letter, { from, to }: MailAt): Promise<Buffer> {
  const [subject = '', ...rest] = text.split('\n');
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/[^A-Za-z0-9.-]/g, '');
  const composer = new MailComposer({
    from,
    to: [...to],
    subject: subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT - 1)}…` : subject,
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    // Nobody's holiday answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: [subject, ...rest].join('\n'),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A connection on which a mail can be sent. Throws a DeliveryFault: nothing has left then. */
async function connected({ url, wayOut, stepWithinMs = STEP_WITHIN_MS }: MailAt): Promise<SMTPConnection> {
  const { protocol, hostname, port: named, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const port = named === '' ? (secure ? 465 : 587) : Number(named);
  const tunnel = await wayOut.tunnelTo(hostname, port).catch((error: unknown) => {
    if (error instanceof ProxyError) throw new DeliveryFault(NO_WAY_BY_PROXY, { outcome: 'not-done' });
    throw error;
  });
  const connection = new SMTPConnection({
    ...(tunnel ? { connection: tunnel } : {}),
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    secure,
    // What is sent can't be read on the way.
    requireTLS: !secure && !HERE.test(hostname),
    connectionTimeout: stepWithinMs,
    greetingTimeout: stepWithinMs,
    socketTimeout: stepWithinMs,
    dnsTimeout: stepWithinMs,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.once('end', () => reject(new Error('the connection was closed')));
      connection.connect((error?: Error | null) => (error ? reject(error) : resolve()));
    });
    if (username !== '')
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.login(
          { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
          (error?: Error | null) => (error ? reject(error) : resolve()),
        );
      });
  } catch (error) {
    connection.on('error', () => undefined);
    connection.close();
    throw faultOf(error, false);
  }
  return connection;
}

/** Throws a DeliveryFault: unknown from when the mail itself began to leave until the server has answered it. */
async function handedOver(connection: SMTPConnection, { from, to }: MailAt, raw: Buffer): Promise<void> {
  let hasLeft = false;
  // Read only once the server has asked for it.
  const message = new Readable({
    read() {
      hasLeft = true;
      this.push(raw);
      this.push(null);
    },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(new Error('the connection was closed')));
      const envelope = { from: addressIn(from), to: [...to] };
      connection.send(envelope, message, (error?: Error | null) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw faultOf(error, hasLeft);
  }
}

/** The address of "Lamplighter <bot@example.com>". */
function addressIn(from: string): string {
  return /<([^<>]+)>$/.exec(from)?.[1] ?? from;
}

function faultOf(error: unknown, hasLeft: boolean): DeliveryFault {
  const answered =
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : undefined;
  // A no to the user and the password may be mended; one to a mail is one for good.
  const isOfMail = error instanceof Error && 'code' in error && error.code !== 'EAUTH';
  if (answered !== undefined)
    return new DeliveryFault(`answered-${answered}`, {
      outcome: 'not-done',
      dead: isOfMail && answered >= 500,
    });
  return hasLeft
    ? new DeliveryFault(UNKNOWN_OUTCOME, { outcome: 'unknown' })
    : new DeliveryFault('not-connected', { outcome: 'not-done' });
}
