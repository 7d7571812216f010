/** The closed list of what a person may be allowed to do. */
const PERMISSIONS = ['instances:read', 'instances:power', 'operations:read'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The roles a person can hold, each with exactly these permissions. */
export const ROLES = ['viewer', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['instances:read', 'operations:read'],
  operator: ['instances:read', 'operations:read', 'instances:power'],
  finance: ['instances:read', 'operations:read'],
  admin: PERMISSIONS,
};

/** The least of the roles that carries a permission: what a refusal tells the person to ask for. */
export function leastRoleWith(permission: Permission): Role {
  return ROLES.find((role) => ROLE_PERMISSIONS[role].includes(permission)) ?? 'admin';
}
