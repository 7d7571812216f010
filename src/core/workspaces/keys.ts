import { key } from '../../platform/redis/key.ts';

/** What is kept of the workspaces that the bot is installed in. */
export const workspaceKeys = {
  installations: key('workspaces'),
  /** Workspaces that removed the bot, by when: what is kept of them is to be erased. */
  leaving: key('workspaces', 'leaving'),
  /** A consent that was used. */
  consent: (consent: string): string => key('workspaces', 'consent', consent),
  refresh: (teamId: string): string => key('workspace', teamId, 'refresh'),
} as const;
