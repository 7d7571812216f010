/**
 * Where the bot waits for anything outside itself: Redis, the queue, the hosting service, Slack. Every such part
 * passes here once, by name, so that a run of faults can strike at each of its calls.
 */
export type Seam = <Part extends object>(name: string, part: Part) => Part;

/** Strikes nowhere. */
export const noSeam: Seam = (_name, part) => part;
