/** The icon with which a card or a line tells an outcome. */
export const ICONS = { done: '✅', asked: '📨', failed: '❌', unknown: '❔', canceled: '⚪' } as const;
