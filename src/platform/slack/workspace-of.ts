import { z } from 'zod';

const id = z.string().optional().catch(undefined);
const withTeam = z.object({ team_id: id }).optional().catch(undefined);
const bodySchema = z.object({
  team_id: id,
  context_team_id: id,
  authorizations: z
    .array(z.object({ team_id: id }))
    .optional()
    .catch(undefined),
  team: z.object({ id }).optional().catch(undefined),
  user: withTeam,
  view: z.object({ app_installed_team_id: id, team_id: id }).optional().catch(undefined),
  message: z.object({ team: id }).optional().catch(undefined),
});

/**
 * The workspace that a request of Slack is about: the one in which our installation is meant, and else where it happened. Undefined where
 * Slack names none. An installation for a whole organization is named by `E…`, which is no workspace; then an interaction has no
 * `team`, and what it was used on says where. Its person's own workspace is the last to be looked at: they may be in several.
 */
export function workspaceOf(body: unknown): string | undefined {
  const said = bodySchema.safeParse(body).data;
  if (!said) return undefined;
  const { authorizations, team, user, view, message } = said;
  return [
    view?.app_installed_team_id,
    authorizations?.[0]?.team_id,
    said.context_team_id,
    team?.id,
    said.team_id,
    view?.team_id,
    message?.team,
    user?.team_id,
  ].find((one) => one?.startsWith('T'));
}
