/** The icon with which a card or a line tells an outcome. */
export const ICONS = { done: '✅', failed: '❌', unknown: '❔', cancelled: '⚪' } as const;
