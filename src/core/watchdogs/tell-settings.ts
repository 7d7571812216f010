import { hash } from 'node:crypto';
import type { Access } from '../policy/access.ts';
import type { AccessRecord } from '../policy/access-record.ts';
import { adminsOf } from '../policy/messages.ts';
import { settingsMessage, type SettingsState } from './messages.ts';
import type { Parts } from '../parts/parts.ts';

const MAX_TOLD = 5;
/** By then each process has seen what a file says. */
const LATE_MS = 60_000;

/**
 * Tells admins of what changed in files and isn't used, or counts later, and once it is mended: each change once, whichever process
 * sees it first. `except`: whom another account tells. Gives whom this one would. Throws what Redis throws.
 */
export type TellSettings = (state: SettingsState, except: readonly string[]) => Promise<readonly string[]>;

export function createTellSettings({
  access,
  accessStore,
  outbox,
  clock,
}: Pick<Parts, 'clock' | 'outbox' | 'accessStore'> & {
  readonly access: Pick<Access, 'policy'>;
}): TellSettings {
  return async (state, except) => {
    const told = toldOf(state);
    const all = adminsOf(await access.policy()).filter((userId) => !except.includes(userId));
    const admins = all.slice(0, MAX_TOLD);
    const at = clock.now();
    await accessStore.change(
      (record) => {
        const next = nextTold(record.toldSettings, told, at);
        return next && { ...record, toldSettings: next };
      },
      async (_after, { toldSettings: before }) => {
        const content = settingsMessage(state, before?.isFault ?? false);
        return outbox.saying(
          content
            ? admins.map((userId) => ({ id: `settings-${userId}-${at}`, to: { userId }, content }))
            : [],
          'moved',
        );
      },
    );
    return admins;
  };
}

/**
 * What is remembered then; undefined where there is nothing to tell. A process that is late would tell once more what another has told, and
 * that it is mended. Pure.
 */
function nextTold(
  before: AccessRecord['toldSettings'],
  told: { readonly of: string; readonly isFault: boolean } = { of: '', isFault: false },
  now: number,
): AccessRecord['toldSettings'] {
  const { of = '', past } = before ?? {};
  const isLate = told.of !== '' && past?.of === told.of && now - past.at < LATE_MS;
  if (of === told.of || isLate) return undefined;
  return { ...told, ...(of === '' ? {} : { past: { of, at: now } }) };
}

/** What is remembered of a state, so that it is told once; undefined where there is nothing to tell. Pure. */
function toldOf(state: SettingsState): { readonly of: string; readonly isFault: boolean } | undefined {
  const isFault = state.faults.length > 0;
  if (!isFault && state.restart.length === 0) return undefined;
  return { of: hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22), isFault };
}
