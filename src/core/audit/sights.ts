/** What a watch sees of an instance, after its name. */
export const SIGHT_WORDS = {
  error: 'reports an error',
  unhealthy: 'has been unhealthy for more than a minute',
  stopped: 'was stopped',
  paused: 'was paused',
  deleted: 'was deleted',
  created: 'was created',
} as const satisfies Readonly<Record<string, string>>;
