export const LIST_ROUTE = 'instances.list';
/** A part of the Home. */
export const TROUBLE_ROUTE = 'instances.trouble';
export const SHOW = 'instances.show';
export const DELETE = 'instances.delete';
/** The same verb at a service that cancels at the end of a term. */
export const CANCEL_AT_END = 'instances.cancel';
export const FAVORITES = 'instances.favorites';
/** A part of the Home. */
export const SOME_FAVORITES = 'instances.some-favorites';
export const FORGET = 'instances.forget';
export const START = 'instances.start';
export const STOP = 'instances.stop';
/** The button that starts what a batch stopped. */
export const START_AGAIN = 'instances.start-again';

/** The routes that don't wait for the system of an instance. */
export const FORCE_ROUTES = { stop: 'instances.force-stop', restart: 'instances.force-restart' } as const;

/** The route that restarts one, for the buttons of others too. */
export const RESTART = 'instances.restart';
export const ACT = 'instances.act';
export const FIND = 'instances.find';
