import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { everyElement, type Spot } from '../../sandbox/slack/acting/target.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { DAY_MS } from '../../src/platform/time/duration.ts';
import { answeredWith, play } from '../support/sandbox.ts';

/** A line that lacks a word, what is given for it in a field or with a button, one after another, and what is read then. */
interface Lacking {
  readonly line: string;
  readonly gives: readonly Given[];
  readonly reads: RegExp;
  /** What is typed before. */
  readonly before?: readonly string[];
}
type Given = { readonly presses: string } | { readonly picks: string } | { readonly types: string };

/** A day that is coming. */
const SOON = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);

const because = (line: string, reads = /Because: new config/): Lacking => ({
  line: `${line} --because`,
  gives: [{ types: 'new config' }],
  reads,
});
const power = (verb: string, doing: RegExp): readonly Lacking[] => [
  { line: `/instances ${verb}`, gives: [{ picks: 'web-2 (102)' }], reads: doing },
  because(`/instances ${verb} web-1`),
  {
    line: `/instances ${verb} name:web-* --at-once`,
    gives: [{ types: '2' }],
    reads: /At most 2 run at the same time/,
  },
];

/** Every route that can be typed, with each word left out that it can't do without. */
export const LACKING: Readonly<Record<string, readonly Lacking[]>> = {
  'instances.list': [
    { line: '/instances list status:', gives: [{ types: 'status:stopped' }], reads: /staging \(104\)/ },
    {
      line: '/instances list older:',
      gives: [{ presses: 'List older:7d' }],
      reads: /./,
    },
  ],
  'instances.show': [{ line: '/instances show', gives: [{ picks: 'web-1' }], reads: /🟢 web-1 \(101\)/ }],
  'instances.start': [
    { line: '/instances start', gives: [{ picks: 'staging' }], reads: /Start(?:ing|ed) staging/ },
    because('/instances start staging'),
  ],
  'instances.stop': power('stop', /Stop(?:ping|ped) web-2/),
  'instances.restart': [
    ...power('restart', /Restart(?:ing|ed) web-2/),
    {
      before: ['/lamplighter freeze "release"'],
      line: '/instances restart web-2',
      gives: [{ types: 'it hangs' }],
      reads: /Restart(?:ing|ed) web-2/,
    },
  ],
  'instances.delete': [
    { line: '/instances delete', gives: [{ picks: 'web-2' }], reads: /Delete web-2 \(102\) permanently/ },
    because('/instances delete web-1', /Delete web-1 \(101\) permanently\?/),
  ],
  'instances.save': [
    {
      line: '/instances save',
      gives: [{ types: 'nightly = name:staging-*' }],
      reads: /Saved nightly: name:staging-\*/,
    },
    {
      line: '/instances favorites',
      gives: [{ types: 'nightly = name:web-*' }],
      reads: /Saved nightly: name:web-\*/,
    },
    {
      line: '/instances save nightly',
      gives: [{ types: 'name:web-*' }],
      reads: /Saved nightly: name:web-\*/,
    },
    {
      line: '/instances save nightly =',
      gives: [{ types: 'name:web-*' }],
      reads: /Saved nightly: name:web-\*/,
    },
  ],
  'instances.forget': [
    {
      before: ['/instances save nightly = name:web-*'],
      line: '/instances forget',
      gives: [{ presses: 'Forget nightly' }],
      reads: /Removed the favorite nightly/,
    },
  ],
  'schedules.schedule': [
    {
      line: '/instances schedules',
      gives: [{ types: 'staging stop at 19:00 mon-fri' }],
      reads: /stop at 19:00, Mon–Fri/,
    },
    {
      line: '/instances schedule stop at 20:00 mon-fri',
      gives: [{ picks: 'staging' }],
      reads: /Save this schedule\?/,
    },
    {
      line: '/instances schedule staging',
      gives: [{ types: 'stop at 19:00 mon-fri' }],
      reads: /stop at 19:00, Mon–Fri/,
    },
    { line: '/instances schedule staging stop at', gives: [{ types: '19:30' }], reads: /stop at 19:30/ },
    {
      line: '/instances schedule staging stop at',
      gives: [{ presses: 'Schedule staging stop at 20:00' }],
      reads: /stop at 20:00/,
    },
    {
      line: '/instances schedule staging stop at 20:00 and keep it stopped',
      gives: [{ types: '07:00-19:00' }],
      reads: /start at 07:00 and stop at 19:00, every day .*, kept stopped in between/,
    },
    {
      line: '/instances schedule staging hours',
      gives: [{ types: '07:00-19:00' }],
      reads: /Save this schedule\?/,
    },
    {
      line: '/instances schedule staging stop once at',
      gives: [{ types: `${SOON} 18:00` }],
      reads: /Save this schedule\?/,
    },
  ],
  'instances.watch': [
    { line: '/instances watch twins', gives: [{ picks: 'web-2' }], reads: /Watching web-2 here/ },
    { line: '/instances watch', gives: [{ types: 'name:web-*' }], reads: /name:web-\*/ },
    { line: '/instances watches', gives: [{ types: 'name:web-*' }], reads: /name:web-\*/ },
    { line: '/instances watch', gives: [{ presses: 'Watch all instances' }], reads: /name:\*/ },
  ],
  'instances.unwatch': [
    {
      before: ['/instances watch name:web-*', '/instances watch name:db-*'],
      line: '/instances unwatch',
      gives: [{ presses: 'Unwatch all db-*' }],
      reads: /name:db-\* isn't watched any more/,
    },
  ],
  'instances.history': [
    {
      before: ['/instances restart web-1'],
      line: '/instances history',
      gives: [{ picks: 'web-1' }],
      reads: /web-1 \(101\)/,
    },
  ],
  'addons.add': [
    { line: '/addons add', gives: [{ picks: 'worker-1' }], reads: /Which add-on for worker-1 \(103\)\?/ },
    {
      line: '/addons add',
      gives: [{ picks: 'worker-1' }, { types: 'cache' }],
      reads: /Add cache to worker-1 \(103\)\?/,
    },
    { line: '/addons add backup', gives: [{ picks: 'worker-1' }], reads: /Add backup to worker-1 \(103\)\?/ },
    {
      line: '/addons add backup worker-1 --tier',
      gives: [{ types: 'pro' }],
      reads: /Add backup \(pro\) to worker-1/,
    },
  ],
  'addons.remove': [
    { line: '/addons remove', gives: [{ picks: 'web-1' }], reads: /1 active add-on of web-1/ },
    { line: '/addons remove llm', gives: [{ picks: 'web-1' }], reads: /Remove llm \(standard\) from web-1/ },
  ],
  'billing.transactions': [
    {
      line: '/billing transactions --last',
      gives: [{ types: '2w' }],
      reads: /of the last 2w/,
    },
    { line: '/billing transactions --type', gives: [{ types: 'purchase' }], reads: /of type "purchase"/ },
    {
      line: '/billing transactions --instance web-9',
      gives: [{ types: 'web-1' }],
      reads: /transactions of web-1 \(101\)/,
    },
    {
      line: '/billing transactions --instance',
      gives: [{ types: 'web-1' }],
      reads: /transactions of web-1 \(101\)/,
    },
  ],
  'billing.what-if': [
    {
      line: '/billing what-if',
      gives: [{ types: 'stop web-1, top up 500' }],
      reads: /With that, the balance lasts/,
    },
    {
      line: '/billing what-if stop web-9, top up 500',
      gives: [{ types: 'web-1' }],
      reads: /Stop web-1 \(101\): saves[^]*Top up: 500 credits/,
    },
    { line: '/billing what-if stop', gives: [{ types: 'web-1' }], reads: /Stop web-1 \(101\): saves/ },
    {
      line: '/billing what-if add backup',
      gives: [{ types: 'web-1' }],
      reads: /Add backup to web-1 \(101\)/,
    },
    {
      line: '/billing what-if add',
      gives: [{ types: 'backup to web-1' }],
      reads: /Add backup to web-1 \(101\)/,
    },
    { line: '/billing what-if top up', gives: [{ types: '500' }], reads: /Top up: 500 credits more/ },
  ],
  'billing.alerts': [
    { line: '/billing alerts set', gives: [{ types: 'warn 6d critical 3d' }], reads: /6 days/ },
    { line: '/billing alerts set warn', gives: [{ types: '6d' }], reads: /6 days/ },
    { line: '/billing alerts set critical', gives: [{ presses: 'Critical below 1 day' }], reads: /1 day/ },
    {
      line: '/billing alerts snooze',
      gives: [{ types: '3h' }],
      reads: /Alerts snooze 3h: There is no alert/,
    },
  ],
  'billing.budget': [
    {
      line: '/billing budget all',
      gives: [{ types: '500' }],
      reads: /The budget of the account is 500 credits/,
    },
    {
      line: '/billing budget all 500 at',
      gives: [{ types: '50 pace' }],
      reads: /told at 50 % and when the pace/,
    },
  ],
  'billing.digest': [
    {
      line: '/billing digest',
      gives: [{ presses: 'Digest weekly mon 09:00' }],
      reads: /every Monday at 09:00/,
    },
    { line: '/billing digest', gives: [{ types: 'fri 16:00' }], reads: /every Friday at 16:00/ },
    { line: '/billing digest weekly', gives: [{ types: 'fri 16:00' }], reads: /every Friday at 16:00/ },
  ],
  'lamplighter.access': [
    { line: '/lamplighter access show', gives: [{ picks: '@guest' }], reads: /@guest/ },
    {
      line: '/lamplighter access grant',
      gives: [{ presses: 'Access grant operator' }, { picks: '@guest' }],
      reads: /@guest is an operator now/,
    },
    {
      line: '/lamplighter access grant operator',
      gives: [{ picks: '@guest' }],
      reads: /@guest is an operator now/,
    },
    {
      line: '/lamplighter access grant operator on staging-*',
      gives: [{ picks: '@guest' }],
      reads: /is an operator on staging-\*/,
    },
    {
      line: '/lamplighter access grant @guest',
      gives: [{ presses: 'Make @guest a member of finance' }],
      reads: /@guest is in the finance role now/,
    },
    {
      line: '/lamplighter access grant operator guest',
      gives: [{ picks: '@guest' }],
      reads: /@guest is an operator now/,
    },
    {
      line: '/lamplighter access grant viewer @guest on',
      gives: [{ types: 'web-*' }],
      reads: /viewer on web-\*/,
    },
    {
      line: '/lamplighter access grant viewer @guest in',
      gives: [{ picks: '#ops' }],
      reads: /viewer in #ops/,
    },
    { line: '/lamplighter access grant viewer @guest for', gives: [{ types: '2h' }], reads: /viewer until/ },
    {
      before: ['/lamplighter access grant viewer @guest'],
      line: '/lamplighter access revoke',
      gives: [{ picks: '@guest' }],
      reads: /Revoke all that @guest holds\?/,
    },
    {
      before: ['/lamplighter access grant viewer @guest'],
      line: '/lamplighter access revoke viewer',
      gives: [{ picks: '@guest' }],
      reads: /@guest is no longer a viewer/,
    },
  ],
  'lamplighter.can': [
    { line: '/lamplighter can restart web-9', gives: [{ picks: 'web-2' }], reads: /✅ Yes/ },
    { line: '/lamplighter can', gives: [{ types: 'restart web-1' }], reads: /✅ Yes/ },
    { line: '/lamplighter can @guest', gives: [{ types: 'restart web-1' }], reads: /❌ No, @guest can't/ },
  ],
  'lamplighter.agent': [
    {
      line: '/lamplighter agent add',
      gives: [{ types: 'deploy-bot' }, { picks: '@ana' }],
      reads: /Added: deploy-bot, in the name of @ana/,
    },
    {
      before: ['/lamplighter agent add deploy-bot as @ana'],
      line: '/lamplighter agent revoke',
      gives: [{ presses: 'Agent revoke deploy-bot' }],
      reads: /deploy-bot can't ask anything any more/,
    },
  ],
  'lamplighter.freeze': [
    {
      line: '/lamplighter freeze for 2h',
      gives: [{ types: 'the *release* of <!channel>' }],
      reads: /@admin froze everything until/,
    },
    {
      line: '/lamplighter freeze on db-*',
      gives: [{ types: 'migration' }],
      reads: /@admin froze db-\*.*: "migration"/,
    },
    {
      line: '/lamplighter freeze web-1 on db-*',
      gives: [{ types: 'db-1' }],
      reads: /@admin froze db-\*, web-1 .*: "db-1"/,
    },
    {
      line: '/lamplighter freeze until',
      gives: [{ presses: 'Freeze everything until Mon 08:00' }, { types: 'release' }],
      reads: /@admin froze everything until .*: "release"/,
    },
    {
      line: '/lamplighter freeze for',
      gives: [{ presses: 'Freeze everything for 4 hours' }, { types: 'release' }],
      reads: /froze everything/,
    },
    {
      line: '/lamplighter freeze on',
      gives: [{ types: 'db-*' }, { types: 'release' }],
      reads: /froze db-\*/,
    },
  ],
  'lamplighter.thaw': [
    {
      before: ['/lamplighter freeze on db-* "release"'],
      line: '/lamplighter thaw on',
      gives: [{ types: 'db-*' }],
      reads: /db-\* can be changed again/,
    },
    {
      before: ['/lamplighter freeze on db-* "release"', '/lamplighter freeze on web-* "test"'],
      line: '/lamplighter thaw',
      gives: [{ presses: 'End the freeze of web-*' }],
      reads: /web-\* can be changed again/,
    },
  ],
  'lamplighter.audit': [
    { line: '/lamplighter audit --last', gives: [{ types: '2d' }], reads: /in the last 48 hours/ },
  ],
  'lamplighter.story': [
    { line: '/lamplighter story --last', gives: [{ types: '2d' }], reads: /in the last 48 hours/ },
  ],
  'lamplighter.rehearse': [
    { line: '/lamplighter rehearse restart', gives: [{ types: 'web-2' }], reads: /At 3 a\.m\. this/ },
  ],
};

const ROWS = Object.values(LACKING)
  .flat()
  .map((row) => [row.line, row, kindOf(row)] as const);

/** Rows are one path where words are given in the same ways: a person, a channel and an instance have fields of their own. */
function kindOf({ gives, before = [] }: Lacking): string {
  const ways = gives.map((given) =>
    'picks' in given ? given.picks.replace(/\w.*/, 'picks') : Object.keys(given),
  );
  return [...ways, before.length > 0].join(' ');
}

const isFirst = (row: (typeof ROWS)[number]): boolean => ROWS.find(([, , kind]) => kind === row[2]) === row;

/** One row of each kind, by its line. */
export const FIRST = ROWS.filter(isFirst);

/** All others. */
export const OTHERS = ROWS.filter((row) => !isFirst(row));

const FIELDS = ['external_select', 'users_select', 'conversations_select', 'plain_text_input'];

export function fieldOf(message: PostedMessage): Spot {
  const field = everyElement(message.blocks).find(({ element }) => FIELDS.includes(String(element['type'])));
  if (!field) throw new Error('there is no field');
  return { blockId: field.blockId, actionId: String(field.element['action_id']) };
}

/** Gives what is missing, and what the admin reads alone next, if anything. */
async function give({ slack }: Sandbox, message: PostedMessage, given: Given): Promise<void> {
  const admin = slack.person('admin');
  if ('presses' in given) await admin.presses(message, given.presses);
  else if ('types' in given) await admin.chooses(message, fieldOf(message), given.types);
  else {
    const field = fieldOf(message);
    const { options } = await admin.searches(message, field, given.picks.replace(/ \(.*/, ''));
    await admin.chooses(message, field, String(options[0]?.['value']));
  }
}

/** All that the admin has before them: in the channel, alone, and as a modal. */
function seen({ slack }: Sandbox): string[] {
  const admin = slack.person('admin');
  return [
    ...slack
      .channel('#ops')
      .seenBy('admin')
      .map((one) => slack.read(one)),
    ...admin.views.map((view) => slack.readView(view)),
  ];
}

/** Types a line, gives what it asks for, and expects that the whole thing is done then. */
export async function expectDone(line: string, { gives, reads, before = [] }: Lacking): Promise<void> {
  const sandbox = await play({ env: { BILLING_CHANNEL: '#ops', LAMPLIGHTER_AGENTS: 'yes' } });
  const { slack } = sandbox;
  const admin = slack.person('admin');
  for (const one of before) {
    await admin.types('#ops', one);
    await sandbox.settled();
  }
  let asked = await answeredWith(sandbox, 'admin', line);
  const atFirst = new Set(seen(sandbox));
  for (const given of gives) {
    expect(slack.read(asked)).toContain('[ Cancel ]');
    const already = new Set(seen(sandbox));
    const isNew = (): boolean => seen(sandbox).some((text) => !already.has(text));
    await give(sandbox, asked, given);
    await slack.until(isNew);
    const next = slack
      .channel('#ops')
      .ephemeralFor('admin')
      .findLast((one) => !one.deleted);
    if (next) asked = next;
  }
  const news = (): string[] => seen(sandbox).filter((text) => !atFirst.has(text));
  const isRead = (): boolean => news().some((text) => reads.test(text));
  await slack.until(isRead).catch(() => expect(news().join('\n---\n')).toMatch(reads));
  await sandbox.settled();
}
