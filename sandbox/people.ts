/** Somebody with a Slack account, named after the role they play in a test or in the demo. */
export interface PersonRecord {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly teamId: string;
  readonly email?: string;
  readonly tz?: string;
  readonly isRestricted?: boolean;
  readonly isUltraRestricted?: boolean;
  /** From another workspace, over Slack Connect. */
  readonly isStranger?: boolean;
  readonly isDeleted?: boolean;
  readonly isBot?: boolean;
  /** Whether they have paused their notifications. */
  readonly isSnoozed?: boolean;
  /** The workspaces of the organization that they are in; their home alone when left out. */
  readonly teams?: readonly string[];
  /** The organization they belong to; the bot's own when left out. */
  readonly enterpriseId?: string;
}

/** The workspace that the bot is installed in. */
export const TEAM = { id: 'T0LANTERN01', name: 'Lantern Works', domain: 'lantern' } as const;

/** Another company's workspace, met in a shared channel. */
export const OTHER_TEAM = { id: 'T0STRANGE01', name: 'Strange Ltd', domain: 'strange' } as const;

/** What the workspace belongs to where the double is `inOrganization`, and another workspace of it. */
export const ORGANIZATION = { id: 'E0LANTERN01', name: 'Lantern Group' } as const;
const SISTER_TEAM = { id: 'T0LANTERN02', name: 'Lantern Lights', domain: 'lantern-lights' } as const;

/** The bot itself as Slack knows it. */
export const BOT = {
  userId: 'U0LAMP00001',
  botId: 'B0LAMP00001',
  appId: 'A0LAMP00001',
  handle: 'lamplighter',
  name: 'Lamplighter',
} as const;

/** Slack's own bot, the same in every workspace. */
export const SLACKBOT_ID = 'USLACKBOT';

/** Everybody in the sandbox. `admin` owns the place, `gone` has left, `stranger` works elsewhere. */
export const PEOPLE: readonly PersonRecord[] = [
  { id: 'U0ADA000001', handle: 'admin', name: 'Ada Admin', ...member('ada') },
  { id: 'U0ANA000001', handle: 'ana', name: 'Ana Engineer', ...member('ana') },
  { id: 'U0BOB000001', handle: 'bob', name: 'Bob Engineer', ...member('bob') },
  { id: 'U0FIN000001', handle: 'fin', name: 'Fin Finance', ...member('fin') },
  { id: 'U0GUEST0001', handle: 'guest', name: 'Gus Guest', isRestricted: true, teamId: TEAM.id },
  {
    id: 'U0SINGLE001',
    handle: 'single',
    name: 'Sia Single',
    isRestricted: true,
    isUltraRestricted: true,
    teamId: TEAM.id,
  },
  { id: 'U0STRANGE01', handle: 'stranger', name: 'Stan Stranger', teamId: OTHER_TEAM.id, isStranger: true },
  { id: 'U0GONE00001', handle: 'gone', name: 'Gwen Gone', isDeleted: true, teamId: TEAM.id },
  { id: 'U0ROBOT0001', handle: 'robot', name: 'Other Robot', isBot: true, teamId: TEAM.id },
];

/**
 * Who is there besides where the double is `inOrganization`: `grace` is at home in the sister workspace and a member of
 * the bot's, `neighbor` is in the sister workspace alone, `outsider` is in a workspace of another organization.
 */
export const PEOPLE_OF_ORGANIZATION: readonly PersonRecord[] = [
  {
    id: 'W0GRACE0001',
    handle: 'grace',
    name: 'Grace Grid',
    teamId: SISTER_TEAM.id,
    teams: [SISTER_TEAM.id, TEAM.id],
  },
  { id: 'W0NEIGHB001', handle: 'neighbor', name: 'Ned Neighbor', teamId: SISTER_TEAM.id },
  {
    id: 'W0OUTSIDE01',
    handle: 'outsider',
    name: 'Ota Outsider',
    teamId: OTHER_TEAM.id,
    enterpriseId: 'E0STRANGE01',
  },
];

function member(name: string): { teamId: string; email: string; tz: string } {
  return { teamId: TEAM.id, email: `${name}@lantern.example`, tz: 'Europe/Berlin' };
}
