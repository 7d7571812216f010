/** The closed list of what a person may be allowed to do. */
const PERMISSIONS = [
  'instances:read',
  'instances:power',
  'instances:delete',
  'addons:read',
  'addons:change',
  'billing:read',
  'billing:alerts',
  'billing:place',
  'operations:read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The roles a person can hold, each with exactly these permissions. */
export const ROLES = ['viewer', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Permission[] = ['instances:read', 'addons:read', 'operations:read'];

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: VIEWER,
  operator: [...VIEWER, 'instances:power'],
  finance: [...VIEWER, 'billing:read', 'billing:alerts'],
  admin: PERMISSIONS,
};

/** The least of the roles that carries a permission: what a refusal tells the person to ask for. */
export function leastRoleWith(permission: Permission): Role {
  return ROLES.find((role) => ROLE_PERMISSIONS[role].includes(permission)) ?? 'admin';
}
