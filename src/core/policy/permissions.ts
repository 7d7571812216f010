/** The closed list of what a person may be allowed to do. */
export const PERMISSIONS = [
  'instances:read',
  'instances:power',
  'instances:delete',
  'instances:watch',
  'instances:place',
  'addons:read',
  'addons:change',
  'usage:read',
  'billing:read',
  'billing:ack',
  'billing:alerts',
  'billing:place',
  'operations:read',
  'operations:cancel',
  'access:grant',
  'access:freeze',
  'audit:read',
  'bot:examine',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The roles a person can hold, each with exactly these permissions. */
export const ROLES = ['viewer', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Permission[] = ['instances:read', 'addons:read', 'operations:read'];

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: VIEWER,
  operator: [...VIEWER, 'instances:power', 'instances:watch', 'operations:cancel', 'billing:ack'],
  finance: [...VIEWER, 'usage:read', 'billing:read', 'billing:ack', 'billing:alerts'],
  admin: PERMISSIONS,
};

/** What is about all instances at once, or about none: a role for some instances carries none of it. */
const WHOLE: ReadonlySet<Permission> = new Set([
  'instances:place',
  'billing:read',
  'billing:ack',
  'billing:alerts',
  'billing:place',
  'bot:examine',
]);

/** Whether a permission can't be had for some instances alone. */
export function isWhole(permission: Permission): boolean {
  return WHOLE.has(permission);
}

/** What changes instances, and so stands still while they are frozen. */
const CHANGES: ReadonlySet<Permission> = new Set(['instances:power', 'instances:delete', 'addons:change']);

export function isChange(permission: Permission): boolean {
  return CHANGES.has(permission);
}

/**
 * What one press can allow to somebody who asked for a right. Admins are made by words alone, and a role that changes
 * instances needs one that is named. `hasTarget`: whether it is about one instance. Pure.
 */
export function allowances(permission: Permission, hasTarget: boolean): readonly ('once' | 'for 8 h')[] {
  // Once is enough to give oneself every role.
  if (permission === 'access:grant' || (isChange(permission) && !hasTarget)) return [];
  const role = leastRoleWith(permission);
  const isTooWide = role === 'admin' || (!hasTarget && ROLE_PERMISSIONS[role].some(isChange));
  if (isTooWide) return ['once'];
  return isChange(permission) ? ['once', 'for 8 h'] : ['for 8 h'];
}

/** The least of the roles that carries a permission: what a refusal tells the person to ask for. */
export function leastRoleWith(permission: Permission): Role {
  return ROLES.find((role) => ROLE_PERMISSIONS[role].includes(permission)) ?? 'admin';
}

const PREFIX = 'force-';

/** The verb that does the same without waiting for the system of an instance: "force-stop". */
export function forced<Verb extends string>(verb: Verb): `force-${Verb}` {
  return `${PREFIX}${verb}`;
}

/** The verb that another is the forced form of; itself where it is none. What holds for "stop" holds for "force-stop". */
export function unforced(verb: string): string {
  return verb.startsWith(PREFIX) ? verb.slice(PREFIX.length) : verb;
}
