/** A group of people that can be mentioned together. Members by handle; who is in it may change. */
export interface Usergroup {
  readonly id: string;
  readonly handle: string;
  readonly members: Set<string>;
}

/** One group, so that a role can be given to it. */
export function createUsergroups(): readonly Usergroup[] {
  return [{ id: 'S0ONCALL001', handle: 'oncall', members: new Set(['ana', 'bob']) }];
}
