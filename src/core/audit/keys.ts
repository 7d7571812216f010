import { key } from '../../platform/redis/key.ts';

export const auditKeys = {
  /** The entries, oldest first: a stream. */
  entries: key('audit'),
  /** Number and hash of the newest entry. */
  head: key('audit', 'head'),
  /** Number and hash of the newest entry that was pruned. */
  anchor: key('audit', 'anchor'),
  /** The newest entry that was given to who collects them: its id in the stream and its number. */
  streamed: key('audit', 'streamed'),
  /** Hash: version and record of up to which day its head was posted. */
  told: key('audit', 'told'),
} as const;
