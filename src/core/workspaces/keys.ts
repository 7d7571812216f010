import { key } from '../../platform/redis/key.ts';

/** What is kept of the workspaces that the bot is installed in. */
export const workspaceKeys = {
  installations: key('workspaces'),
  /** Workspaces that removed the bot, by when: what is kept of them is to be erased. */
  leaving: key('workspaces', 'leaving'),
  /** Workspaces that an organization's admin gave the bot access to, each with that organization. */
  granted: key('workspaces', 'granted'),
  /** A consent that was used. */
  consent: (consent: string): string => key('workspaces', 'consent', consent),
  refresh: (id: string): string => key('workspace', id, 'refresh'),
  /** An organization whose workspaces were asked for a moment ago. */
  asked: (enterpriseId: string): string => key('workspace', enterpriseId, 'asked'),
} as const;
