import type { SettingsState } from '../core/watchdogs/messages.ts';
import type { Log } from '../platform/log/log.ts';
import type { Fleet } from './fleet.ts';
import type { Settings } from './settings.ts';

interface FollowDeps {
  readonly settings: Pick<Settings, 'state' | 'changes' | 'look'>;
  readonly fleet: Pick<Fleet, 'workspaces'>;
  readonly log: Log;
}

/** Gives a work to be done again and again: it takes what changed in files, and says in the log and to the admins what came of it. */
export function createFollowSettings({ settings, fleet, log }: FollowDeps): () => Promise<void> {
  let logged = settings.state();
  let counted = settings.changes();
  let told: SettingsState | undefined;
  return async () => {
    await settings.look();
    if (settings.changes() !== counted) {
      counted = settings.changes();
      log.info({ check: 'settings' }, 'what changed in files counts now');
    }
    const state = settings.state();
    if (state !== logged) logState(state, log);
    logged = state;
    if (state === told) return;
    for (const { bots } of fleet.workspaces()) {
      const heard: string[] = [];
      for (const bot of bots) heard.push(...(await bot.tellSettings(state, heard)));
    }
    told = state;
  };
}

function logState({ faults, restart }: SettingsState, log: Log): void {
  for (const fault of faults)
    log.error({ check: 'settings' }, `${fault}: what was there before still counts`);
  for (const what of restart)
    log.warn({ check: 'settings' }, `what changed in a file needs a restart: ${what}`);
}
