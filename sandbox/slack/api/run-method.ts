import { ORGANIZATION, TEAM } from '../../people.ts';
import { METHODS } from '../methods/index.ts';
import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import { answerCall } from './answer-call.ts';
import { decodeFields } from './args.ts';
import type { ApiAnswer } from './faults.ts';
import { SlackNo } from './refusal.ts';
import { type Caller, missingScope } from './tokens.ts';

/** Answers one Web API call, with the token's scopes beside it. Always HTTP 200, but for the faults that a test planned. */
export async function runMethod(
  world: World,
  name: string,
  token: string | undefined,
  args: Json,
): Promise<ApiAnswer | 'reset'> {
  const answer = await answerCall(world, { method: name, args: readable(args), statusOfNo: 200 }, () => {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) throw new SlackNo('unknown_method', { req_method: name });
    const caller = method.token === 'none' ? NOBODY : authenticate(world, token);
    if (caller.kind !== (method.token ?? 'bot')) throw new SlackNo('not_allowed_token_type');
    if (!name.startsWith('auth.')) requireAccess(world, caller, name, decodeFields(args));
    const scopes = method.scopes ?? [];
    if (scopes.length > 0 && !scopes.some((scope) => caller.scopes.has(scope))) {
      throw missingScope(scopes, caller);
    }
    return method.run({ args: decodeFields(args), caller, token: token ?? '', world });
  });
  const caller = token === undefined ? undefined : world.tokens.find(token);
  if (answer === 'reset' || caller === undefined || typeof caller === 'string') return answer;
  return { ...answer, headers: { ...answer.headers, 'x-oauth-scopes': [...caller.scopes].join(',') } };
}

const NOBODY: Caller = { kind: 'none', teamId: TEAM.id, scopes: new Set() };

/** With a token of a whole organization these ask which of its workspaces is meant, as on their pages of Slack's documentation. */
const NEED_A_TEAM = new Set(['dnd.teamInfo', 'usergroups.users.list', 'users.list']);

/**
 * The sandbox has people and channels of one workspace only: the tokens of others say who they are, and no more. That of an organization
 * is good for the workspaces that its admin added the app to.
 */
function requireAccess({ installs }: World, { kind, teamId }: Caller, name: string, args: Json): void {
  if (kind !== 'bot' || teamId === TEAM.id) return;
  if (teamId !== ORGANIZATION.id) throw new SlackNo('team_access_not_granted');
  const named = args['team_id'];
  if (NEED_A_TEAM.has(name) && named === undefined)
    throw new SlackNo('missing_argument', { needed: 'team_id' });
  if (named !== undefined && named !== TEAM.id) throw new SlackNo('team_not_found');
  if (!installs.granted.has(TEAM.id)) throw new SlackNo('team_access_not_granted');
}

function authenticate(world: World, token: string | undefined): Caller {
  if (token === undefined) throw new SlackNo('not_authed');
  const caller = world.tokens.find(token);
  if (caller === 'revoked') throw new SlackNo('token_revoked');
  if (caller === 'expired') throw new SlackNo('token_expired');
  if (caller === undefined) throw new SlackNo('invalid_auth');
  return caller;
}

function readable(args: Json): Json {
  try {
    return decodeFields(args);
  } catch {
    return args;
  }
}
