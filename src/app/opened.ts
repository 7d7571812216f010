import type { WorkspaceBot } from './workspace-bot.ts';

/** How long the jobs of a workspace that is closed may take to end. */
const CLOSE_WITHIN_MS = 5_000;

/** The workspaces in which this process works. */
export interface Opened {
  get(teamId: string): WorkspaceBot | undefined;
  all(): readonly WorkspaceBot[];
  ids(): readonly string[];
  /**
   * That of a workspace, which is built where the bot is installed there; undefined where it isn't. Throws what Redis throws,
   * and SealError where the installation can't be decrypted.
   */
  find(teamId: string): Promise<WorkspaceBot | undefined>;
  /**
   * Closes that of a workspace where the bot has become another user there, since its organization's installation took the place of its
   * own, or the other way round. Throws as `find` does.
   */
  refresh(teamId: string): Promise<void>;
  /** Nothing is done there any more. */
  close(teamId: string): Promise<void>;
  /** None is built any more. */
  stop(): void;
}

export function createOpened({
  botUserIn,
  build,
}: {
  /** The bot's user by the installation that counts there; undefined where it isn't installed. */
  readonly botUserIn: (teamId: string) => Promise<string | undefined>;
  readonly build: (teamId: string) => Promise<WorkspaceBot>;
}): Opened {
  const open = new Map<string, { readonly bot: WorkspaceBot; readonly botUserId: string }>();
  const opening = new Map<string, Promise<WorkspaceBot | undefined>>();
  let isStopped = false;
  const begin = async (teamId: string): Promise<WorkspaceBot | undefined> => {
    const botUserId = isStopped ? undefined : await botUserIn(teamId);
    if (botUserId === undefined) return undefined;
    const bot = await build(teamId);
    open.set(teamId, { bot, botUserId });
    return bot;
  };
  const close = async (teamId: string): Promise<void> => {
    const bot = open.get(teamId)?.bot;
    open.delete(teamId);
    await bot?.drain(CLOSE_WITHIN_MS);
    await bot?.close();
  };
  return {
    get: (teamId) => open.get(teamId)?.bot,
    all: () => [...open.values()].map(({ bot }) => bot),
    ids: () => [...open.keys()],
    find: async (teamId) => {
      const known = open.get(teamId);
      if (known) return known.bot;
      const underWay = opening.get(teamId) ?? begin(teamId).finally(() => opening.delete(teamId));
      opening.set(teamId, underWay);
      return underWay;
    },
    refresh: async (teamId) => {
      const known = open.get(teamId);
      const botUserId = await botUserIn(teamId);
      if (known && botUserId !== undefined && known.botUserId !== botUserId) await close(teamId);
    },
    close,
    stop: () => {
      isStopped = true;
    },
  };
}
