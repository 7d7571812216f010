import type { Topic } from '../../../core/intake/route.ts';

/** The words after `/billing alerts` that all alerts have. */
export const SHARED_USAGE = 'here | on | off | test | ack | snooze 4h | unsnooze';

/** What a balance has beside them. */
export const THRESHOLD_TOPIC: Topic = {
  words: ['set', 'thresholds', 'warn', 'critical'],
  usage: 'set warn 5d critical 2d',
  summary: 'when to warn, and when it is critical: as days left, or as a balance like 500',
};

/** The same words, for help. `watched`: what is watched while they are on. */
export const alertTopics = (watched: string): readonly Topic[] => [
  {
    words: ['here'],
    usage: 'here',
    summary: 'alerts go to this channel, where everyone then sees the figures',
  },
  { words: ['on', 'off'], usage: 'on', summary: `watch ${watched}; off stops all warnings` },
  { words: ['test'], usage: 'test', summary: 'send one message to where alerts go' },
  { words: ['ack'], usage: 'ack', summary: 'say that you are on an open alert' },
  {
    words: ['snooze'],
    usage: 'snooze 4h',
    summary: 'snooze an open alert for 30m, 4h or 2d; if it gets worse, I still say so',
  },
  { words: ['unsnooze'], usage: 'unsnooze', summary: 'end a snooze before its time' },
];
