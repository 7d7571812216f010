/** Nothing is planned further ahead. */
export const MAX_DAYS_AHEAD = 400;
