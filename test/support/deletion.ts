import type { Deletion } from '../../src/platform/hosting/service.ts';

/** What a deletion does at some service. */
export const DELETION: Deletion = {
  takes: ['its machine, with its disk'],
  leaves: 'Its addresses stay and still cost',
  inShort: 'Its disk goes with it, permanently.',
};
