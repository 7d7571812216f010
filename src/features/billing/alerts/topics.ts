import type { Topic } from '../../../core/routing/route.ts';

/** The words after `/billing alerts`, for help. */
export const ALERT_TOPICS: readonly Topic[] = [
  {
    words: ['set', 'thresholds', 'warn', 'critical'],
    usage: 'set warn 5d critical 2d',
    summary: 'when to warn, and when it is critical: as days left, or as a balance like 500',
  },
  {
    words: ['here'],
    usage: 'here',
    summary: 'alerts go to this channel, where everybody then sees the figures',
  },
  { words: ['on', 'off'], usage: 'on', summary: 'watch the balance; off stops all warnings' },
  { words: ['test'], usage: 'test', summary: 'send one message to where alerts go' },
  { words: ['ack'], usage: 'ack', summary: 'say that you are on an open alert' },
  {
    words: ['snooze'],
    usage: 'snooze 4h',
    summary: 'keep an open alert quiet for 30m, 4h or 2d; a worse level is still said',
  },
];
