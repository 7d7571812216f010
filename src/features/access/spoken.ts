import type { Spoken } from '../../core/sentences/spoken.ts';

/** How people ask who may do what, for a role, and for what somebody holds. */
export const SPOKEN: Spoken = {
  orders: [
    ['let <who> (look|see|read|view|watch) *', 'grant viewer {who}'],
    ['<who> (should|can|may|must) (be able to)? (look|see|read|view) *', 'grant viewer {who}'],
    [
      'let <who> (restart|stop|start|restart and stop|stop and start) (things|instances|boxes|servers)? *',
      'grant operator {who}',
    ],
    ['(drop|remove|take|kick) <who> (from|off|out of) <role>', 'revoke {role} {who}'],
    ['<who> (is|should be) no longer <role>', 'revoke {role} {who}'],
    ['<who> (needs|need|wants|should have|gets|get) <role>', 'grant {role} {who}'],
    ['<who> (needs|need|wants|should have|gets|get) <role> <span>', 'grant {role} {who} for {span}'],
    ['<who> (needs|need|wants|should have|gets|get) <role> (on|for) <x>', 'grant {role} {who} on {names}'],
    [
      '<who> (needs|need|wants|should have|gets|get) <role> (on|for) <x> <span>',
      'grant {role} {who} on {names} for {span}',
    ],
    ['(take) <role> away from <who>', 'revoke {role} {who}'],
    ['(make|give) <who> <role>', 'grant {role} {who} [for {span}]'],
    ['(make|give) <who> <role> <span>', 'grant {role} {who} for {span}'],
    [
      '(add|grant|make|give) <who> (and|,)? <who>? (as|to)? <role> (rights|role|access|permission)?',
      'grant {role} {who}',
    ],
    [
      '(make|give|add|grant) <who> (and|,)? <who>? (as|to)? <role> (rights|role|access)? <span>',
      'grant {role} {who} for {span}',
    ],
    ['(grant|give) <role> (rights|role|access)? to <who>', 'grant {role} {who}'],
    ['(take|remove|revoke) <role> (rights|role|access)? (away|off)? from <who>', 'revoke {role} {who}'],
    ['(revoke|remove) <role> <who>', 'revoke {role} {who}'],
    ['(remove|revoke|offboard) <who>', 'revoke {who}'],
    ['(remove|revoke|take away) (all|everything|access|all access) (of|from) <who>', 'revoke {who}'],
    ['<who> (left|has left|is leaving|is gone|quit) (us|company|the company|team|the team)?', 'revoke {who}'],
  ],
  asks: [
    ['(what|which) (roles|role|access|rights|permissions)? (does|do) <who> (have|hold|own)', 'show {who}'],
    ['(access|roles|rights|permissions) (of|for) <who>', 'show {who}'],
    ['(is|are|was) <who> *', 'show {who}'],
    'give <who> * (rights|access|permissions)',
    ['(what|which) * <who> (may|can|do|allowed)', 'show {who}'],
    'who * (say yes|approve|allow|permit)',
    'who (is|has|holds|are) <role>',
    'who (may|can|is allowed to) * <doing>',
    'who can <do>',
    'who (may|is allowed to) <do>',
    '(roles|permissions|grants)',
    'who * access',
    'who is (admin|operator|<role>)',
  ],
};
