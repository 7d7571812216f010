/**
 * Wraps each part that the bot waits for outside itself (Redis, the queue, the hosting service, Slack), once and by
 * name, so that a test can inject a fault at each of its calls.
 */
export type FaultPoints = <Part extends object>(name: string, part: Part) => Part;

/** Injects none. */
export const noFaultPoints: FaultPoints = (_name, part) => part;
