import type { Permission, Role } from '../../src/core/policy/permissions.ts';

export const WAYS = ['command', 'mention', 'button', 'picker', 'modal'] as const;
export type Way = (typeof WAYS)[number];

/** What a person does at one way in. `{x}` is an instance of this cell's own, `{who}` the one who acts. */
export interface Entrance {
  /** What is typed; for a button, a picker and a modal, what is typed to get it. */
  readonly types?: string;
  /** For a button on a message that everybody sees: words of that message. */
  readonly card?: string;
  /** The same for a message from the bot to an admin. */
  readonly dm?: string;
  /** The label of the button, or the route of the picker. */
  readonly uses?: string;
  /** What is filled into the modal. */
  readonly fills?: string;
  readonly channel?: string;
  /** It begins an operation, with no further question. */
  readonly begins?: true;
  /** What the person reads, or everybody, where it is allowed. */
  readonly done: RegExp;
}

export interface Row extends Partial<Record<Way, Entrance>> {
  /** Who may, the least role first: a refusal names it. */
  readonly roles: readonly Role[];
  /** The permission that is asked for before this one. */
  readonly after?: Permission;
  /** A picker of its route is for who has that one: what is picked is refused where this one is missing. */
  readonly isPickedAfter?: true;
  /** The route that a forged button, picker or modal names where the row has none. */
  readonly route: string;
  /** It is written down before it is answered, so that a role can be lost between the two. */
  readonly isWrittenDown?: true;
  /** It is about one instance, so that a role for other instances doesn't carry it. */
  readonly isAboutOne?: true;
  /** What is given or set with it must lie within one's own. */
  readonly isGiven?: true;
  /** It is about all instances or about none, so that a role for some instances never carries it. */
  readonly isOfAll?: true;
  /** What an admin types before, for each cell. */
  readonly before?: string;
}

/**
 * Who may do what, and by which ways in, written by hand. Whatever isn't here is refused. A new permission takes one row:
 * its roles, and what a person types, presses, picks or fills in to use it.
 */
export const TABLE: Readonly<Record<Permission, Row>> = {
  'instances:read': {
    roles: ['viewer', 'operator', 'finance', 'admin'],
    route: 'instances.show',
    isAboutOne: true,
    command: { types: '/instances show shared', done: /🟢 shared \(/ },
    mention: { types: 'instances show shared', done: /🟢 shared \(/ },
    button: { card: 'restart broken', uses: 'Show', done: /🔴 broken \(/ },
    picker: { types: '/instances show', uses: 'instances.show', done: /🟢 shared \(/ },
  },
  'instances:power': {
    roles: ['operator', 'admin'],
    route: 'instances.stop',
    isWrittenDown: true,
    isAboutOne: true,
    command: { types: '/instances stop {x}', done: /Stopp/, begins: true },
    mention: { types: 'stop {x}', done: /Stopp/, begins: true },
    button: { types: '/instances show {x}', uses: 'Stop', done: /Stopp/, begins: true },
    picker: { types: '/instances stop', uses: 'instances.stop', done: /Stopp/, begins: true },
  },
  'instances:delete': {
    roles: ['admin'],
    route: 'instances.delete',
    isWrittenDown: true,
    isAboutOne: true,
    command: { types: '/instances delete shared', done: /permanently/ },
    mention: { types: 'delete shared', done: /permanently/ },
    button: { types: '/instances show shared', uses: 'Delete…', done: /permanently/ },
    picker: { types: '/instances delete', uses: 'instances.delete', done: /permanently/ },
    modal: { types: '/instances delete {x}', fills: '{x}', done: /Deleting/, begins: true },
  },
  'instances:watch': {
    roles: ['operator', 'admin'],
    route: 'instances.unwatch',
    isWrittenDown: true,
    command: { types: '/instances unwatch name:none', done: /isn't watched in this channel/ },
    mention: { types: 'instances unwatch name:none', done: /isn't watched in this channel/ },
  },
  'instances:place': {
    roles: ['admin'],
    isOfAll: true,
    after: 'instances:watch',
    isPickedAfter: true,
    route: 'instances.watch',
    isWrittenDown: true,
    command: { types: '/instances watch name:{x}', channel: '#billing', done: /I'll post changes/ },
    mention: { types: 'instances watch name:{x}', channel: '#ours', done: /I'll post changes/ },
  },
  'addons:read': {
    roles: ['viewer', 'operator', 'finance', 'admin'],
    route: 'addons.list',
    isAboutOne: true,
    command: { types: '/addons shared', done: /backup/ },
    mention: { types: 'addons shared', done: /backup/ },
    button: { types: '/instances show shared', uses: 'Add-ons', done: /backup/ },
    picker: { types: '/addons nowhere', uses: 'addons.list', done: /add-on/ },
  },
  'addons:change': {
    roles: ['admin'],
    route: 'addons.remove',
    isWrittenDown: true,
    isAboutOne: true,
    command: { types: '/addons remove backup shared', done: /This is permanent/ },
    mention: { types: 'addons remove backup shared', done: /This is permanent/ },
    button: { types: '/addons add llm {x}', uses: 'Add it', done: /Add(ing|ed) llm/, begins: true },
    picker: { types: '/addons add llm', uses: 'addons.add', done: /Add it/ },
    modal: { types: '/addons remove backup {x}', fills: 'backup', done: /Removing/, begins: true },
  },
  'usage:read': {
    roles: ['finance', 'admin'],
    route: 'billing.usage',
    command: { types: '/billing usage', done: /a day/ },
    mention: { types: 'usage', done: /a day/ },
  },
  'billing:read': {
    roles: ['finance', 'admin'],
    isOfAll: true,
    route: 'billing.balance',
    command: { types: '/billing', done: /credits/ },
    mention: { types: 'balance', done: /credits/ },
    button: { card: 'The balance is', uses: 'Buy time', done: /Stopping|days?/ },
  },
  'billing:ack': {
    roles: ['operator', 'finance', 'admin'],
    isOfAll: true,
    route: 'billing.ack',
    isWrittenDown: true,
    button: { card: 'The balance is', uses: "I'm on it", done: /You're on it/ },
  },
  'billing:alerts': {
    roles: ['finance', 'admin'],
    isOfAll: true,
    route: 'billing.alerts',
    isWrittenDown: true,
    command: { types: '/billing alerts set warn 6d', done: /Changed/ },
    mention: { types: 'billing alerts set warn 6d', done: /Changed/ },
    button: { card: 'The balance is', uses: 'Snooze for an hour', done: /Snoozed until/ },
  },
  'billing:place': {
    roles: ['admin'],
    isOfAll: true,
    after: 'billing:alerts',
    route: 'billing.digest',
    isWrittenDown: true,
    command: { types: '/billing digest weekly mon 09:00', channel: '#billing', done: /digest goes to/ },
    mention: { types: 'billing digest weekly mon 09:00', channel: '#ours', done: /digest goes to/ },
  },
  'operations:read': {
    roles: ['viewer', 'operator', 'finance', 'admin'],
    route: 'lamplighter.operations',
    command: { types: '/lamplighter operations', done: /waiting/ },
    mention: { types: 'operations', done: /waiting/ },
    button: { types: '/instances show waiting', uses: 'Tell me too', done: /mention you/ },
  },
  'operations:cancel': {
    roles: ['operator', 'admin'],
    route: 'lamplighter.cancel',
    isWrittenDown: true,
    isAboutOne: true,
    before: 'delete {x}',
    button: { card: '{x} ', uses: 'Cancel', done: /Canceled/ },
  },
  'access:grant': {
    roles: ['admin'],
    isGiven: true,
    route: 'access.hours',
    isWrittenDown: true,
    command: { types: '/lamplighter access grant viewer @ana', done: /is a viewer now/ },
    mention: { types: 'access grant viewer @ana in #random', done: /is a viewer in #random now/ },
    button: { dm: 'asks to', uses: 'Allow for 8 h', done: /messaged them/ },
  },
  'access:freeze': {
    roles: ['admin'],
    isGiven: true,
    route: 'lamplighter.freeze',
    isWrittenDown: true,
    command: { types: '/lamplighter freeze on nothing-* "release"', done: /Frozen\./ },
    mention: { types: 'freeze on nothing-* "release"', done: /Frozen\./ },
  },
  'audit:read': {
    roles: ['admin'],
    route: 'lamplighter.audit',
    command: { types: '/lamplighter audit', done: /newest first/ },
    mention: { types: 'audit', done: /newest first/ },
  },
  'bot:examine': {
    roles: ['admin'],
    isOfAll: true,
    route: 'lamplighter.doctor',
    command: { types: '/lamplighter doctor', done: /Redis/ },
    mention: { types: 'doctor', done: /Redis/ },
  },
};

/** Whether what is done there begins an operation at once, without another question. */
export function beginsACall({
  permission,
  way,
}: {
  readonly permission: Permission;
  readonly way: Way;
}): boolean {
  return TABLE[permission][way]?.begins ?? false;
}
