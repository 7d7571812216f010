/** A group of people that can be mentioned together. Members by handle or id. */
export interface UsergroupSetup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** One group, so that a role can be given to it. */
export const USERGROUPS: readonly UsergroupSetup[] = [
  { id: 'S0ONCALL001', handle: 'oncall', name: 'On call', members: ['ana', 'bob'] },
];
