import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { parseUrl } from '../http/parse-url.ts';
import { SlackError, slackErrorOf, tooManyRequests } from './errors.ts';

interface FileToSend {
  readonly name: string;
  readonly lengthBytes: number;
  /** Its bytes, exactly as many; never all at once. */
  read(): Readable;
}

/** Files out. */
export interface Uploads {
  /**
   * Puts a file into a channel that the bot is in. Throws SlackError only: `not-done` up to the last of the three
   * steps, since a file that is not completed is seen by nobody, and `unknown` where that one's answer was lost.
   */
  send(channelId: string, file: FileToSend): Promise<void>;
}

/** The slowest way to Slack on which an upload still ends in time. */
const LEAST_BYTES_PER_MS = 50;
const announcedSchema = z.object({
  upload_url: z.string().max(4_000),
  file_id: z.string().regex(/^F[A-Za-z0-9_]{1,63}$/),
});
const completedSchema = z.object({ files: z.array(z.object({ id: z.string() })) });

/**
 * Whether a file may be uploaded there: Slack's own hosts over https, or, where the Web API itself is elsewhere
 * (a sandbox), exactly there. It comes out of an answer, and what goes there is the team's money.
 */
export function isUploadUrl(text: string, apiUrl: string): boolean {
  const url = parseUrl(text);
  const api = parseUrl(apiUrl);
  if (!url || !api || url.username !== '' || url.password !== '') return false;
  if (isSlack(url)) return true;
  return !isSlack(api) && /^https?:$/.test(url.protocol) && url.origin === api.origin;
}

function isSlack({ protocol, port, hostname }: URL): boolean {
  return protocol === 'https:' && port === '' && /(?:^|\.)slack(?:-gov)?\.com$/.test(hostname);
}

export function createUploads(
  web: WebClient,
  options: { apiUrl: string; timeoutMs: number; connections: Dispatcher },
): Uploads {
  const announce = async ({ name, lengthBytes }: FileToSend): Promise<{ url: string; fileId: string }> => {
    const answer = await web.files.getUploadURLExternal({ filename: name, length: lengthBytes });
    const announced = announcedSchema.safeParse(answer);
    if (!announced.success) throw new SlackError('unreadable', { outcome: 'not-done' });
    const { upload_url: url, file_id: fileId } = announced.data;
    if (!isUploadUrl(url, options.apiUrl))
      throw new SlackError('foreign_upload_url', { outcome: 'not-done' });
    return { url, fileId };
  };

  /** The URL is the right to write, so no token goes along, and neither it nor an error that holds it is passed on. */
  const upload = async (url: string, file: FileToSend): Promise<void> => {
    const bytes = file.read();
    // Whatever becomes of the request, a stream that breaks when nobody listens would end the process.
    bytes.on('error', () => undefined);
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(url, {
        method: 'POST',
        dispatcher: options.connections,
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(file.lengthBytes) },
        body: bytes,
        signal: AbortSignal.timeout(options.timeoutMs + Math.ceil(file.lengthBytes / LEAST_BYTES_PER_MS)),
      });
      await answer.body.dump();
    } catch {
      throw new SlackError('upload_unreachable', { outcome: 'not-done' });
    } finally {
      bytes.destroy();
    }
    const { statusCode: status, headers } = answer;
    if (status === 429) throw tooManyRequests([headers['retry-after']].flat()[0]);
    if (status !== 200) throw new SlackError(`upload_${status}`, { outcome: 'not-done' });
  };

  return {
    send: async (channelId, file) => {
      let fileId: string;
      try {
        const announced = await announce(file);
        await upload(announced.url, file);
        fileId = announced.fileId;
      } catch (error) {
        throw asNotDone(slackErrorOf(error));
      }
      try {
        const answer = await web.files.completeUploadExternal({
          files: [{ id: fileId, title: file.name }],
          channel_id: channelId,
        });
        const completed = completedSchema.safeParse(answer);
        if (!completed.success || !completed.data.files.some(({ id }) => id === fileId))
          throw new SlackError('unreadable', { outcome: 'unknown' });
      } catch (error) {
        throw slackErrorOf(error);
      }
    },
  };
}

function asNotDone({ code, dead, retryAfterMs }: SlackError): SlackError {
  return new SlackError(code, {
    outcome: 'not-done',
    dead,
    retryAfterMs,
  });
}
