/** Ids of the routes of watches, which buttons lead to. */
export const WATCH_ROUTES = {
  watch: 'instances.watch',
  unwatch: 'instances.unwatch',
  watches: 'instances.watches',
  remove: 'instances.remove-watch',
  onIt: 'instances.on-it',
  snooze: 'instances.snooze',
  endSnooze: 'instances.end-snooze',
  restartAll: 'instances.restart-all',
  startAll: 'instances.start-all',
} as const;
