/** Ids of the routes of watches, which buttons lead to. */
export const WATCH_ROUTES = {
  watch: 'instances.watch',
  unwatch: 'instances.unwatch',
  watches: 'instances.watches',
  remove: 'instances.remove-watch',
  onIt: 'instances.on-it',
  mute: 'instances.mute',
  unmute: 'instances.unmute',
  restartAll: 'instances.restart-all',
  startAll: 'instances.start-all',
} as const;
