import { BOT, ORGANIZATION, type PersonRecord, TEAM } from '../../people.ts';
import { textArg } from '../api/args.ts';
import type { MethodCall, Methods } from '../api/method.ts';
import { page } from '../api/paging.ts';
import { SlackNo } from '../api/refusal.ts';
import { compact, type Json } from '../json.ts';

const scopes = ['users:read'];
const THE_BOT: PersonRecord = {
  id: BOT.userId,
  handle: BOT.handle,
  name: BOT.name,
  teamId: TEAM.id,
  isBot: true,
};

/** Who is who. Emails only with `users:read.email`. */
export const users: Methods = {
  'users.info': {
    scopes,
    run(call) {
      const id = textArg(call.args, 'user') ?? '';
      const person = everybody(call).find((one) => one.id === id);
      if (!person) throw new SlackNo('user_not_found');
      return { user: userJson(call, person) };
    },
  },
  'users.list': {
    scopes,
    run(call) {
      const all = everybody(call).filter(isHere);
      // Whole where no limit is given, as far as one page goes.
      const { items, nextCursor } = page(all, call.args, { standard: all.length });
      return {
        members: items.map((person) => userJson(call, person)),
        response_metadata: { next_cursor: nextCursor },
      };
    },
  },
};

/** Whether somebody is listed: who is in the workspace, or was before they were deactivated. */
function isHere({ isStranger = false, teams, teamId }: PersonRecord): boolean {
  return !isStranger && (teams ?? [teamId]).includes(TEAM.id);
}

function everybody({ world }: MethodCall): PersonRecord[] {
  return [...world.workspace.people, THE_BOT];
}

/** What Slack adds for a person of an organization: which one, and which of its workspaces they are in. */
function membership({ world }: MethodCall, person: PersonRecord): Json | undefined {
  if (!world.settings.inOrganization || person.isStranger) return undefined;
  const organization = person.enterpriseId ?? ORGANIZATION.id;
  return {
    id: person.id,
    enterprise_id: organization,
    enterprise_name: organization === ORGANIZATION.id ? ORGANIZATION.name : 'Strange Group',
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    teams: person.teams ?? [person.teamId],
  };
}

function userJson(call: MethodCall, person: PersonRecord): Json {
  const flags = person.isDeleted
    ? {}
    : {
        is_restricted: person.isRestricted ?? false,
        is_ultra_restricted: person.isUltraRestricted ?? false,
      };
  return compact({
    id: person.id,
    team_id: person.teamId,
    name: person.handle,
    real_name: person.name,
    deleted: person.isDeleted ?? false,
    ...flags,
    is_bot: person.isBot ?? false,
    is_app_user: false,
    is_stranger: person.isStranger,
    enterprise_user: membership(call, person),
    tz: person.tz,
    profile: {
      display_name: person.handle,
      real_name: person.name,
      email: call.caller.scopes.has('users:read.email') ? person.email : undefined,
    },
  });
}
