import { plain } from '../../platform/slack/phrase.ts';

const MESSAGE_PEOPLE = 'message people for you. Mention them here with @ instead';

/** What somebody is told who begins a line so, where it means nothing else. */
export const CANNOT_AFTER: readonly (readonly [pattern: string, words: string])[] = [
  ['(tell|ask|page|ping|call|message|dm|inform|notify|alert|wake up|wake) *', MESSAGE_PEOPLE],
  ['let * know *', MESSAGE_PEOPLE],
  ['hand <that> over? to *', MESSAGE_PEOPLE],
];

/** What people ask that a bot for instances doesn't do: a pattern, and what it can't do, after "I can't". */
export const CANNOT: readonly (readonly [pattern: string, words: string])[] = [
  ['(logs|logfile|log file|stdout|stderr|tail)', 'show logs'],
  ['(ssh|shell|terminal|console|exec|login to|log into)', 'open a shell'],
  ['(run|execute) * (on|in) <x>', 'run commands on an instance'],
  ['(deploy|redeploy|rollback|roll back|ship|pipeline|migrations|migration)', 'deploy'],
  ['(scale|autoscale) *', 'scale'],
  ['(resize|upgrade|downgrade) *', 'change the size of an instance'],
  ['(restore|roll back|recover) * (backup|snapshot|from)', 'restore a backup'],
  ['(top up|topup|top-up|add credit|buy credits|pay) *', 'add credit'],
  ['(password|passwords|credentials)', 'show or change passwords'],
  [
    '(give|grant|make) * <role>',
    'tell from that who gets which role. Mention the person with @, as in /lamplighter access grant operator @ana on staging-*',
  ],
  [
    '(take|revoke|withdraw) * <role>',
    'tell from that who gives it back. Mention the person with @, as in /lamplighter access revoke operator @ana',
  ],
  [
    '(protect|unprotect) *',
    'change what is protected. Whoever runs the bot sets that with LAMPLIGHTER_PROTECTED or in the policy file',
  ],
  [
    '(is|are|what|which) * protected',
    'list what is protected. Whoever runs the bot sets that with LAMPLIGHTER_PROTECTED or in the policy file',
  ],
  [
    '(how|can|could|would) * (invite|add|get|bring) you *',
    'join a channel by myself. Type /invite there and pick me',
  ],
  ['remind', 'remind you of anything but a schedule'],
  [
    'notify me? (always|never|when needed|when-needed)',
    'be told whom to mention. I mention you at an end where you may have stopped looking',
  ],
  ['(create|provision|spin up|make|clone) * (instance|server|machine|box|vm|clone|copy)', 'create instances'],
  ['(nuke|remove|trash|wipe|erase|rm|drop) <x>', 'delete anything that is not asked for with "delete"'],
  ['(rename|move) <x>', 'rename or move instances'],
  ['(undo|revert|rollback)', 'undo a change'],
];

/** What can't be done with a change that is to last until nobody knows when. */
export const UNTIL_WHEN = 'read until when that is. Say it like "for 4h", "until 18:00" or "until friday"';

const MAX_NOT_READ = 80;

/** What can't be done with an order of which a part means nothing. `part`: as it was typed. Pure. */
export function notRead(part: string): string {
  return `${tellWhat(part)} means in that, so I offer none of it. Name what you want, as in stop web-1 web-2, or filter, as in stop status:running -name:db-*`;
}

/** The same with one that says when. Pure. */
export function notReadTime(part: string): string {
  return `${tellWhat(part)} means as one time, so I offer none of it. Say one day and one time, as in tomorrow at 20:00, or several days, as in schedule web-1 stop at 20:00 mon,tue`;
}

function tellWhat(part: string): string {
  return `tell what "${plain(part, MAX_NOT_READ)}"`;
}
