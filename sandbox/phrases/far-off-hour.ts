const HALF_A_DAY_MS = 12 * 60 * 60_000;

/**
 * An hour of the day in UTC that is about half a day off, as "20:00". What is scheduled for it every day is neither announced nor
 * run by itself while a test or a play goes on, whatever the time is; a test says when it is due.
 */
export const FAR_OFF_HOUR = `${new Date(Date.now() + HALF_A_DAY_MS).toISOString().slice(11, 13)}:00`;
