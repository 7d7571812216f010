import type { Methods } from '../api/method.ts';

/** What the app asks with its own secret, and no token. */
export const oauth: Methods = {
  'oauth.v2.access': {
    token: 'none',
    run: ({ world, args }) => world.installs.access(args),
  },
};
