/** Several, as a team has them: a message that is sought is sought among hundreds and not among thousands. */
export const CHANNELS = Array.from({ length: 8 }, (_, index) => `#ops-${index}`);
