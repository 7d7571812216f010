import type { ChannelSetup } from './channel.ts';

/**
 * Channels named after what is particular about them. The bot is in `#ops`, `#billing`,
 * `#vault`, `#shared` and `#old-client`.
 */
export const CHANNELS: readonly ChannelSetup[] = [
  { name: 'ops', id: 'C0OPS000001' },
  { name: 'billing', id: 'C0BILLING01' },
  { name: 'random', id: 'C0RANDOM001', botIsMember: false },
  { name: 'vault', id: 'C0VAULT0001', kind: 'private', members: ['admin', 'ana'] },
  { name: 'secret', id: 'C0SECRET001', kind: 'private', botIsMember: false, members: ['admin', 'bob'] },
  { name: 'attic', id: 'C0ATTIC0001', isArchived: true },
  { name: 'shared', id: 'C0SHARED001', isShared: true },
  { name: 'old-client', id: 'C0OLDCLIENT', refusesBlocks: true },
];
