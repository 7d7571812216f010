import { join, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { leastRoleWith, type Permission } from './permissions.ts';
import type { Decision } from './policy.ts';

type Reason = Extract<Decision, { allowed: false }>['reason'];

const MAX_NAMED = 5;

const PURPOSES: Readonly<Record<Permission, string>> = {
  'instances:read': 'see instances',
  'instances:power': 'start, stop or restart instances',
  'instances:delete': 'delete instances',
  'addons:read': 'see add-ons',
  'addons:change': 'add or remove add-ons',
  'billing:read': 'see the balance and what it is spent on',
  'billing:alerts': 'set and answer balance alerts',
  'billing:place': 'choose a channel in which everybody sees the balance',
  'operations:read': 'see what is running',
};

/** A no for lack of rights: what is missing first, then who can help. Nothing else is shown. */
export function refusedAccess(reason: Reason, permission: Permission, admins: readonly string[]): Phrase {
  if (reason === 'not checked') {
    const so = permission.endsWith(':read') ? '' : ', so nothing was done';
    return say`I couldn't check your role with Slack${so}. Try again in a minute.`;
  }
  const purpose = PURPOSES[permission];
  const role = leastRoleWith(permission);
  const need =
    reason === 'not a full member'
      ? say`You need to be a full member of this workspace to ${purpose}; guests and outside people need a role of their own.`
      : say`You need the ${role} role to ${purpose}.`;
  return [...need, ...whoCanHelp(admins)];
}

/** Who can give a role. */
export function whoCanHelp(admins: readonly string[]): Phrase {
  if (admins.length === 0) {
    return say` Nobody is an admin yet: the person who runs this bot can name one.`;
  }
  const named = admins.slice(0, MAX_NAMED).map((admin) => say`${person(admin)}`);
  return say` ${join(named, ', ')} can help.`;
}
