/** The variables without which nobody can install the bot in another workspace. */
const NEEDED = [
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SLACK_PUBLIC_URL',
  'LAMPLIGHTER_TOKEN_KEYS',
] as const;
/** What belongs to one workspace alone, and why it can't stand beside several. */
const REFUSED: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: "can't be set beside SLACK_TEAMS: each workspace gets a token of its own",
  SLACK_APP_TOKEN: "can't be set beside SLACK_TEAMS: several workspaces need HTTP",
};

/**
 * What is missing for one workspace or for several, and what can't be set for several. `SLACK_TEAMS` makes them several.
 * Pure; names variables and never their values.
 */
export function faultsOfWorkspaces(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (values['SLACK_TEAMS'] === undefined)
    return values['SLACK_BOT_TOKEN'] === undefined ? ['SLACK_BOT_TOKEN is missing'] : [];
  const refused = Object.entries(REFUSED).filter(([name]) => values[name] !== undefined);
  const missing = NEEDED.filter((name) => values[name] === undefined);
  return [
    ...refused.map(([name, why]) => `${name} ${why}`),
    ...missing.map((name) => `${name} is missing, and SLACK_TEAMS needs it`),
  ];
}

/** What installing in several workspaces needs. */
export interface InstallConfig {
  /** Ids of the workspaces and organizations that may install the bot. */
  readonly teams: readonly string[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stateSecret: string;
  /** Where people reach the bot. */
  readonly publicUrl: string;
  /** What `parseKeyring` reads. */
  readonly tokenKeys: string;
}

interface InstallVariables {
  readonly SLACK_TEAMS?: readonly string[];
  readonly SLACK_CLIENT_ID?: string;
  readonly SLACK_CLIENT_SECRET?: string;
  readonly SLACK_STATE_SECRET?: string;
  readonly SLACK_PUBLIC_URL?: string;
  readonly LAMPLIGHTER_TOKEN_KEYS?: string;
}

/** Undefined where the bot works in one workspace, by its `SLACK_BOT_TOKEN`. */
export function installConfigOf(env: InstallVariables): InstallConfig | undefined {
  if (!env.SLACK_TEAMS) return undefined;
  return {
    teams: env.SLACK_TEAMS,
    clientId: env.SLACK_CLIENT_ID ?? '',
    clientSecret: env.SLACK_CLIENT_SECRET ?? '',
    stateSecret: env.SLACK_STATE_SECRET ?? '',
    publicUrl: env.SLACK_PUBLIC_URL ?? '',
    tokenKeys: env.LAMPLIGHTER_TOKEN_KEYS ?? '',
  };
}

/** Each key of a keyring's text by itself, so that none of them gets into the log. */
export function keysIn(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((part) => part.trim().split(':').slice(1));
}
