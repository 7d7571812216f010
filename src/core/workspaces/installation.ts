import { z } from 'zod';
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

/** The bot in one workspace, or in a whole organization, with its token. Times are Redis' clock, Unix ms. */
export const installationSchema = z.object({
  /** Undefined for an installation in a whole organization. */
  teamId: z.string().optional(),
  teamName: z.string().optional(),
  /** Of the organization that the workspace belongs to, if any, or that it is installed in. */
  enterpriseId: z.string().optional(),
  appId: z.string().optional(),
  botId: z.string(),
  botUserId: z.string(),
  scopes: z.array(z.string()),
  token: z.string(),
  /** Where tokens expire. Without it, the token lives until it is revoked. */
  rotation: z.object({ refreshToken: z.string(), expiresAt: z.number() }).optional(),
  installedBy: z.string(),
  installedAt: z.number(),
  /** Slack won't give a new token for this refresh token, so the workspace ends with the token that it has. */
  refused: z.object({ code: z.string(), at: z.number() }).optional(),
});
export type Installation = z.infer<typeof installationSchema>;

/** What an installation is kept under: the id of its workspace (`T…`), or of the organization (`E…`) that it is for. */
export function installationId({
  teamId,
  enterpriseId,
}: Pick<Installation, 'teamId' | 'enterpriseId'>): string {
  const id = teamId ?? enterpriseId;
  if (id === undefined) throw new Error('an installation in no workspace and no organization');
  return id;
}

/** An installation with the token that a refresh gave, if it is still the one whose token was refreshed. Pure. */
export function refreshed(
  installation: Installation,
  refreshToken: string,
  next: { readonly token: string; readonly refreshToken: string; readonly expiresAt: number },
): Installation | undefined {
  if (installation.rotation?.refreshToken !== refreshToken) return undefined;
  const rotation = { refreshToken: next.refreshToken, expiresAt: next.expiresAt };
  return { ...installation, token: next.token, rotation };
}

/** An installation whose refresh Slack refused, if it is still the one that was to be refreshed. Pure. */
export function refused(
  installation: Installation,
  refreshToken: string,
  why: NonNullable<Installation['refused']>,
): Installation | undefined {
  return installation.rotation?.refreshToken === refreshToken ? { ...installation, refused: why } : undefined;
}
