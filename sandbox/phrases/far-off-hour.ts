const HOUR_MS = 60 * 60_000;

const clockIn = (hours: number): string =>
  `${new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 13)}:00`;

/**
 * An hour of the day in UTC that is about half a day off, as "20:00". What is scheduled for it every day is neither announced nor
 * run by itself while a test or a play goes on, whatever the time is; a test says when it is due.
 */
export const FAR_OFF_HOUR = clockIn(12);

/** Hours as "08:00-20:00" whose stop comes next and whose start comes more than half a day from now, both far off like that. */
export const FAR_OFF_HOURS = `${clockIn(14)}-${clockIn(10)}`;
