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
  readonly before: readonly string[];
}
type Given = { readonly presses: string } | { readonly picks: string } | { readonly types: string };

/** A day that is coming. */
const SOON = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);

const lacks = (
  line: string,
  gives: Given | readonly Given[],
  reads: RegExp,
  ...before: readonly string[]
): Lacking => ({ line, gives: [gives].flat(), reads, before });
const because = (line: string, reads = /Because: new config/): Lacking =>
  lacks(`${line} --because`, { types: 'new config' }, reads);
const power = (verb: string, doing: RegExp): readonly Lacking[] => [
  lacks(`/instances ${verb}`, { picks: 'web-2 (102)' }, doing),
  because(`/instances ${verb} web-1`),
  lacks(`/instances ${verb} name:web-* --at-once`, { types: '2' }, /At most 2 run at the same time/),
];

/** Every route that can be typed, with each word left out that it can't do without. */
export const LACKING: Readonly<Record<string, readonly Lacking[]>> = {
  'instances.list': [
    lacks('/instances list status:', { types: 'status:stopped' }, /staging \(104\)/),
    lacks('/instances list older:', { presses: 'List older:7d' }, /./),
  ],
  'instances.show': [lacks('/instances show', { picks: 'web-1' }, /🟢 web-1 \(101\)/)],
  'instances.start': [
    lacks('/instances start', { picks: 'staging' }, /Start(?:ing|ed) staging/),
    because('/instances start staging'),
  ],
  'instances.stop': power('stop', /Stop(?:ping|ped) web-2/),
  'instances.restart': [
    ...power('restart', /Restart(?:ing|ed) web-2/),
    lacks(
      '/instances restart web-2',
      { types: 'it hangs' },
      /Restart(?:ing|ed) web-2/,
      '/lamplighter freeze "release"',
    ),
  ],
  'instances.delete': [
    lacks('/instances delete', { picks: 'web-2' }, /Delete web-2 \(102\) permanently/),
    because('/instances delete web-1', /Delete web-1 \(101\) permanently\?/),
  ],
  'instances.save': [
    lacks('/instances save', { types: 'nightly = name:staging-*' }, /Saved nightly: name:staging-\*/),
    lacks('/instances favorites', { types: 'nightly = name:web-*' }, /Saved nightly: name:web-\*/),
    lacks('/instances save nightly', { types: 'name:web-*' }, /Saved nightly: name:web-\*/),
    lacks('/instances save nightly =', { types: 'name:web-*' }, /Saved nightly: name:web-\*/),
  ],
  'instances.forget': [
    lacks(
      '/instances forget',
      { presses: 'Forget nightly' },
      /Removed the favorite nightly/,
      '/instances save nightly = name:web-*',
    ),
  ],
  'schedules.schedule': [
    lacks('/instances schedules', { types: 'staging stop at 19:00 mon-fri' }, /stop at 19:00, Mon–Fri/),
    lacks('/instances schedule stop at 20:00 mon-fri', { picks: 'staging' }, /Save this schedule\?/),
    lacks('/instances schedule staging', { types: 'stop at 19:00 mon-fri' }, /stop at 19:00, Mon–Fri/),
    lacks('/instances schedule staging stop at', { types: '19:30' }, /stop at 19:30/),
    lacks(
      '/instances schedule staging stop at',
      { presses: 'Schedule staging stop at 20:00' },
      /stop at 20:00/,
    ),
    lacks(
      '/instances schedule staging stop at 20:00 and keep it stopped',
      { types: '07:00-19:00' },
      /start at 07:00 and stop at 19:00, every day .*, kept stopped in between/,
    ),
    lacks('/instances schedule staging hours', { types: '07:00-19:00' }, /Save this schedule\?/),
    lacks('/instances schedule staging stop once at', { types: `${SOON} 18:00` }, /Save this schedule\?/),
  ],
  'instances.watch': [
    lacks('/instances watch twins', { picks: 'web-2' }, /Watching web-2 here/),
    lacks('/instances watch', { types: 'name:web-*' }, /name:web-\*/),
    lacks('/instances watches', { types: 'name:web-*' }, /name:web-\*/),
    lacks('/instances watch', { presses: 'Watch all instances' }, /name:\*/),
  ],
  'instances.unwatch': [
    lacks(
      '/instances unwatch',
      { presses: 'Unwatch all db-*' },
      /name:db-\* isn't watched any more/,
      '/instances watch name:web-*',
      '/instances watch name:db-*',
    ),
  ],
  'instances.history': [
    lacks('/instances history', { picks: 'web-1' }, /web-1 \(101\)/, '/instances restart web-1'),
  ],
  'addons.add': [
    lacks('/addons add', { picks: 'worker-1' }, /Which add-on for worker-1 \(103\)\?/),
    lacks('/addons add', [{ picks: 'worker-1' }, { types: 'cache' }], /Add cache to worker-1 \(103\)\?/),
    lacks('/addons add backup', { picks: 'worker-1' }, /Add backup to worker-1 \(103\)\?/),
    lacks('/addons add backup worker-1 --tier', { types: 'pro' }, /Add backup \(pro\) to worker-1/),
  ],
  'addons.remove': [
    lacks('/addons remove', { picks: 'web-1' }, /1 active add-on of web-1/),
    lacks('/addons remove llm', { picks: 'web-1' }, /Remove llm \(standard\) from web-1/),
  ],
  'billing.transactions': [
    lacks('/billing transactions --last', { types: '2w' }, /of the last 2w/),
    lacks('/billing transactions --type', { types: 'purchase' }, /of type "purchase"/),
    lacks('/billing transactions --instance web-9', { types: 'web-1' }, /transactions of web-1 \(101\)/),
    lacks('/billing transactions --instance', { types: 'web-1' }, /transactions of web-1 \(101\)/),
  ],
  'billing.what-if': [
    lacks('/billing what-if', { types: 'stop web-1, top up 500' }, /With that, the balance lasts/),
    lacks(
      '/billing what-if stop web-9, top up 500',
      { types: 'web-1' },
      /Stop web-1 \(101\): saves[^]*Top up: 500 credits/,
    ),
    lacks('/billing what-if stop', { types: 'web-1' }, /Stop web-1 \(101\): saves/),
    lacks('/billing what-if add backup', { types: 'web-1' }, /Add backup to web-1 \(101\)/),
    lacks('/billing what-if add', { types: 'backup to web-1' }, /Add backup to web-1 \(101\)/),
    lacks('/billing what-if top up', { types: '500' }, /Top up: 500 credits more/),
  ],
  'billing.alerts': [
    lacks('/billing alerts set', { types: 'warn 6d critical 3d' }, /6 days/),
    lacks('/billing alerts set warn', { types: '6d' }, /6 days/),
    lacks('/billing alerts set critical', { presses: 'Critical below 1 day' }, /1 day/),
    lacks('/billing alerts snooze', { types: '3h' }, /Alerts snooze 3h: There is no alert/),
  ],
  'billing.budget': [
    lacks('/billing budget all', { types: '500' }, /The budget of the account is 500 credits/),
    lacks('/billing budget all 500 at', { types: '50 pace' }, /told at 50 % and when the pace/),
  ],
  'billing.digest': [
    lacks('/billing digest', { presses: 'Digest weekly mon 09:00' }, /every Monday at 09:00/),
    lacks('/billing digest', { types: 'fri 16:00' }, /every Friday at 16:00/),
    lacks('/billing digest weekly', { types: 'fri 16:00' }, /every Friday at 16:00/),
  ],
  'lamplighter.access': [
    lacks('/lamplighter access show', { picks: '@guest' }, /@guest/),
    lacks(
      '/lamplighter access grant',
      [{ presses: 'Access grant operator' }, { picks: '@guest' }],
      /@guest is an operator now/,
    ),
    lacks('/lamplighter access grant operator', { picks: '@guest' }, /@guest is an operator now/),
    lacks(
      '/lamplighter access grant operator on staging-*',
      { picks: '@guest' },
      /is an operator on staging-\*/,
    ),
    lacks(
      '/lamplighter access grant @guest',
      { presses: 'Make @guest a member of finance' },
      /@guest is in the finance role now/,
    ),
    lacks('/lamplighter access grant operator guest', { picks: '@guest' }, /@guest is an operator now/),
    lacks('/lamplighter access grant viewer @guest on', { types: 'web-*' }, /viewer on web-\*/),
    lacks('/lamplighter access grant viewer @guest in', { picks: '#ops' }, /viewer in #ops/),
    lacks('/lamplighter access grant viewer @guest for', { types: '2h' }, /viewer until/),
    lacks(
      '/lamplighter access revoke',
      { picks: '@guest' },
      /Revoke all that @guest holds\?/,
      '/lamplighter access grant viewer @guest',
    ),
    lacks(
      '/lamplighter access revoke viewer',
      { picks: '@guest' },
      /@guest is no longer a viewer/,
      '/lamplighter access grant viewer @guest',
    ),
  ],
  'lamplighter.can': [
    lacks('/lamplighter can restart web-9', { picks: 'web-2' }, /✅ Yes/),
    lacks('/lamplighter can', { types: 'restart web-1' }, /✅ Yes/),
    lacks('/lamplighter can @guest', { types: 'restart web-1' }, /❌ No, @guest can't/),
  ],
  'lamplighter.agent': [
    lacks(
      '/lamplighter agent add',
      [{ types: 'deploy-bot' }, { picks: '@ana' }],
      /Added: deploy-bot, in the name of @ana/,
    ),
    lacks(
      '/lamplighter agent revoke',
      { presses: 'Agent revoke deploy-bot' },
      /deploy-bot can't ask anything any more/,
      '/lamplighter agent add deploy-bot as @ana',
    ),
  ],
  'lamplighter.freeze': [
    lacks(
      '/lamplighter freeze for 2h',
      { types: 'the *release* of <!channel>' },
      /@admin froze everything until/,
    ),
    lacks('/lamplighter freeze on db-*', { types: 'migration' }, /@admin froze db-\*.*: "migration"/),
    lacks('/lamplighter freeze web-1 on db-*', { types: 'db-1' }, /@admin froze db-\*, web-1 .*: "db-1"/),
    lacks(
      '/lamplighter freeze until',
      [{ presses: 'Freeze everything until Mon 08:00' }, { types: 'release' }],
      /@admin froze everything until .*: "release"/,
    ),
    lacks(
      '/lamplighter freeze for',
      [{ presses: 'Freeze everything for 4 hours' }, { types: 'release' }],
      /froze everything/,
    ),
    lacks('/lamplighter freeze on', [{ types: 'db-*' }, { types: 'release' }], /froze db-\*/),
  ],
  'lamplighter.thaw': [
    lacks(
      '/lamplighter thaw on',
      { types: 'db-*' },
      /db-\* can be changed again/,
      '/lamplighter freeze on db-* "release"',
    ),
    lacks(
      '/lamplighter thaw',
      { presses: 'End the freeze of web-*' },
      /web-\* can be changed again/,
      '/lamplighter freeze on db-* "release"',
      '/lamplighter freeze on web-* "test"',
    ),
  ],
  'lamplighter.audit': [lacks('/lamplighter audit --last', { types: '2d' }, /in the last 48 hours/)],
  'lamplighter.story': [lacks('/lamplighter story --last', { types: '2d' }, /in the last 48 hours/)],
  'lamplighter.rehearse': [lacks('/lamplighter rehearse restart', { types: 'web-2' }, /At 3 a\.m\. this/)],
};

const ROWS = Object.values(LACKING)
  .flat()
  .map((row) => [row.line, row, kindOf(row)] as const);

/** Rows are one path where words are given in the same ways: a person, a channel and an instance have fields of their own. */
function kindOf({ gives, before }: Lacking): string {
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
export async function expectDone(line: string, { gives, reads, before }: Lacking): Promise<void> {
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
