/** Ids of the routes: what is handed over to whom, and the two answers to it. */
export const HANDOVER_ROUTES = {
  handover: 'lamplighter.handover',
  take: 'handover.take',
  cancel: 'handover.cancel',
} as const;
