import { key } from '../../platform/redis/key.ts';

export const routingKeys = {
  /** Hash of an open modal: its latest pick, and the hash that Slack gave it when it was last drawn again. */
  modal: (viewId: string): string => key('modal', viewId),
} as const;
