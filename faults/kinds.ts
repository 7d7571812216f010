import type { Status } from '../sandbox/hosting/status.ts';

/** A kind of operation as it takes part in the runs: how it is asked for, and which call must not come twice. */
export interface FaultedKind {
  /** The operation's kind. */
  readonly kind: string;
  /** How its instance stands before. */
  readonly from: Status;
  readonly words: (name: string) => string;
  readonly method: 'POST' | 'DELETE';
  /** What its call ends in after the instance's path. */
  readonly path: string;
  /** Whether its call may be sent again when a look shows that it was not done. */
  readonly repeats: boolean;
}

/** Every kind that takes part. A new one joins with its line. */
export const KINDS: readonly FaultedKind[] = [
  {
    kind: 'instances.restart',
    from: 'running',
    words: (name) => `restart ${name}`,
    method: 'POST',
    path: '/restart',
    repeats: false,
  },
  {
    kind: 'instances.stop',
    from: 'running',
    words: (name) => `stop ${name}`,
    method: 'POST',
    path: '/stop',
    repeats: true,
  },
  {
    kind: 'instances.start',
    from: 'stopped',
    words: (name) => `start ${name}`,
    method: 'POST',
    path: '/start',
    repeats: true,
  },
];
