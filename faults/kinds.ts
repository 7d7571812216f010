import type { Status } from '../sandbox/hosting/status.ts';

/** A kind of operation as it takes part in the runs: how it is asked for, and which call must not come twice. */
export interface FaultedKind {
  /** The operation's kind. */
  readonly kind: string;
  /** How its instance stands before, and which add-on it has. */
  readonly from: Status;
  readonly addon?: string;
  /** Whether it is asked for of this instance and a second one, in a batch. */
  readonly isSeveral?: true;
  /** Whether a second person must approve it first. */
  readonly isApproved?: true;
  /** What is typed after the slash; a mention needs no noun. */
  readonly noun: 'instances' | 'addons';
  readonly words: (name: string) => string;
  /** How its person says yes: by a button, or by a word typed into a modal, which a button opens where it must. */
  readonly confirms?: { readonly button: string; readonly types?: (name: string) => string };
  /** The route of the question's button, where it is not the kind. */
  readonly asksBy?: string;
  /** Its call to the hosting service. */
  readonly method: 'POST' | 'DELETE';
  readonly path: RegExp;
  /** Whether its call may be sent again when a poll shows that it was not done. */
  readonly repeats: boolean;
}

const power = { noun: 'instances', method: 'POST' } as const;
const nameOf = (name: string): string => name;

/** What the bots' settings say of approvals. */
export const APPROVAL_ENV = { LAMPLIGHTER_APPROVE: 'a-*' } as const;

/** The names of those that need one. */
export const APPROVED = /^a-/;

/** The instance that a round is about: by its name it needs an approval, or doesn't. */
export function nameIn({ isApproved }: FaultedKind, instanceId: number): string {
  return `${isApproved ? 'a' : 'm'}-${instanceId}`;
}

/** The second instance of a batch. */
export function secondOf(name: string): string {
  return `${name}-b`;
}

const RESTART: FaultedKind = {
  kind: 'instances.restart',
  from: 'running',
  words: (name) => `restart ${name}`,
  path: /\/restart$/,
  repeats: false,
  ...power,
};
const STOP: FaultedKind = {
  kind: 'instances.stop',
  from: 'running',
  words: (name) => `stop ${name}`,
  path: /\/stop$/,
  repeats: true,
  ...power,
};

/** Every kind that takes part. A new one joins with its line. */
export const KINDS: readonly FaultedKind[] = [
  RESTART,
  STOP,
  {
    kind: 'instances.start',
    from: 'stopped',
    words: (name) => `start ${name}`,
    path: /\/start$/,
    repeats: true,
    ...power,
  },
  {
    kind: 'instances.delete',
    from: 'running',
    noun: 'instances',
    words: (name) => `delete ${name}`,
    confirms: { button: 'Delete…', types: nameOf },
    method: 'DELETE',
    path: /\/instances\/\d+$/,
    repeats: true,
  },
  {
    kind: 'addons.add',
    from: 'running',
    noun: 'addons',
    words: (name) => `add backup ${name}`,
    confirms: { button: 'Add it' },
    method: 'POST',
    path: /\/addons$/,
    repeats: false,
  },
  {
    kind: 'addons.remove',
    from: 'running',
    addon: 'backup',
    noun: 'addons',
    words: (name) => `remove backup ${name}`,
    confirms: { button: 'Remove…', types: () => 'backup' },
    method: 'DELETE',
    path: /\/addons\/\d+$/,
    repeats: true,
  },
  {
    kind: 'instances.restart',
    from: 'running',
    isSeveral: true,
    words: (name) => `restart ${name} ${secondOf(name)}`,
    asksBy: 'instances.restart-several',
    confirms: { button: 'instances.restart-several' },
    path: /\/restart$/,
    repeats: false,
    ...power,
  },
  { ...RESTART, isApproved: true },
  { ...STOP, isApproved: true },
];

/**
 * What takes part where a release is upgraded. 1.0.0 can ask for an approval although another of its runs has just refused the
 * request, so nothing is approved while its processes run.
 */
export function kindsFrom(
  release: string | undefined,
  kinds: readonly FaultedKind[],
): readonly FaultedKind[] {
  return release === '1.0.0' ? kinds.filter(({ isApproved }) => !isApproved) : kinds;
}
