export const statuses = [
  'provisioning',
  'deploying',
  'deploy_failed',
  'pending_configuration',
  'running',
  'stopped',
  'starting',
  'stopping',
  'restarting',
  'paused',
  'error',
  'deleting',
] as const;
export type Status = (typeof statuses)[number];

export type PowerAction = 'start' | 'stop' | 'restart';
/** What becomes of an instance itself, and so depends on its status. */
type InstanceChange = PowerAction | 'delete';
export type Change = InstanceChange | 'add add-on' | 'remove add-on';

/** What each status allows. Written here a second time on purpose: a double that asked the client would agree with it. */
const allowed: Readonly<Record<Status, readonly InstanceChange[]>> = {
  provisioning: ['delete'],
  deploying: ['delete'],
  deploy_failed: ['delete'],
  pending_configuration: ['delete'],
  running: ['stop', 'restart', 'delete'],
  stopped: ['start', 'delete'],
  starting: [],
  stopping: [],
  restarting: [],
  paused: ['delete'],
  error: ['start', 'restart', 'delete'],
  deleting: [],
};

/** Whether an instance in this status takes this change; anything else is answered with 422. */
export function allows(status: Status, change: InstanceChange): boolean {
  return allowed[status].includes(change);
}

const charged: readonly Status[] = ['running', 'starting', 'stopping', 'restarting'];

/** Whether an instance in this status costs credits. */
export function costs(status: Status): boolean {
  return charged.includes(status);
}

const withoutAddress: readonly Status[] = [
  'provisioning',
  'deploying',
  'deploy_failed',
  'pending_configuration',
  'paused',
  'deleting',
];

/** Whether an instance in this status has an ip_address; the others answer null. */
export function hasAddress(status: Status): boolean {
  return !withoutAddress.includes(status);
}

const neverRan: readonly Status[] = ['provisioning', 'deploying', 'deploy_failed', 'pending_configuration'];

/** Whether an instance first seen in this status has been running before (provisioned_at isn't null). */
export function hasRun(status: Status): boolean {
  return !neverRan.includes(status);
}
