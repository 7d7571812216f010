export const ACCESS_ROUTE = 'lamplighter.access';

/** The button that asks those who can give a right for it. */
export const ASK_ROUTE = 'access.ask';

/** The buttons about all that somebody holds: to be shown it and asked, to end it, to leave it. */
export const LEAVING_ROUTES = {
  ask: 'access.revoke-all',
  end: 'access.revoke-everything',
} as const;
