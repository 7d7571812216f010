import type { Status } from './service.ts';

/** The words that services have for each status: the first of each row is documented, the others are seen at comparable services. */
export const STATUS_WORDS: Readonly<Record<Status, readonly string[]>> = {
  running: ['running', 'active', 'on', 'started', 'up', 'live'],
  stopped: ['stopped', 'off', 'offline', 'halted', 'shutoff', 'exited', 'stopped_in_place'],
  starting: ['starting', 'booting', 'powering_on', 'resuming'],
  stopping: ['stopping', 'shutting_down', 'powering_off'],
  restarting: ['restarting', 'rebooting', 'reboot', 'hard_reboot'],
  provisioning: [
    'provisioning',
    'pending',
    'new',
    'creating',
    'initializing',
    'building',
    'build',
    'installing',
    'loading',
  ],
  deploying: ['deploying'],
  pending_configuration: ['pending_configuration'],
  resizing: ['resizing'],
  migrating: ['migrating'],
  rebuilding: ['rebuilding'],
  paused: ['paused', 'suspended', 'billing_suspension', 'frozen', 'hibernated'],
  deleting: ['deleting', 'destroying', 'terminating'],
  deleted: ['deleted', 'destroyed', 'terminated'],
  error: ['error', 'failed', 'unhealthy', 'crashed'],
  deploy_failed: ['deploy_failed'],
};
