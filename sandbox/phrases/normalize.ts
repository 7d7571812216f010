const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // Newer versions of Intl put a narrow no-break space before AM.
  [/\b\d{1,2}:\d{2}(?::\d{2})?[ \u00a0\u202f](?:AM|PM)\b/g, '9:41 AM'],
  [/\b\d{4}-\d{2}-\d{2}([T ])\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?/g, '2026-11-18$109:41:00Z'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2}\b/g, 'Wed 2026-11-18 09:41'],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b/g, '2026-11-18 09:41'],
  [/\b\d{4}-\d{2}-\d{2}\b/g, '2026-11-18'],
  [
    /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}\b/g,
    'November 18, 2026',
  ],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}, \d{4}\b/g, 'Nov 18, 2026'],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?= \(UTC\): )/g, 'Nov 18'],
  // Of days that a schedule leaves out, a scenario fixes all but the year.
  [/\b(\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)) \d{4}\b/g, '$1 2026'],
  // How wide a range is hangs on the weekday and the hour.
  [
    /\babout \d+(?: to \d+)? days left(?: \(most likely \d+)?(, empty Nov 18, 2026)(?: to Nov 18, 2026\))?(?=, from )/g,
    'about 9 days left$1',
  ],
  [/\blamplighter-audit:[\w:-]+/g, 'lamplighter-audit:-:2026-11-18:2:9C2D41B7:AAAAAAAA'],
  [/\b\d+ (?:second|minute|hour|day)s? ago\b/g, '2 seconds ago'],
  [/\bin \d+ (?:second|minute|hour|day)s?\b(?! left)/g, 'in 2 seconds'],
  // As the bot writes a duration that it measured or counts down.
  [/\b\d+ s\b/g, '2 s'],
  // How long something took, on a machine on which that was a minute.
  [/, after \d+ min\b(?! @| the admins)/g, ', after 2 s'],
  // A schedule that is saved is for an hour that is far off.
  [/\bhours (?:[01]\d|2[0-3]):00-(?:[01]\d|2[0-3]):00\b/g, 'hours 08:00-20:00'],
  [/\bstop at (?:[01]\d|2[0-3]):00\b/g, 'stop at 20:00'],
  [/\bstart at (?:[01]\d|2[0-3]):00\b/g, 'start at 08:00'],
  [/\brestart at (?:[01]\d|2[0-3]):00\b/g, 'restart at 04:00'],
  [/\b(Stop|Start) it at \d{2}:\d{2}\b/g, '$1 it at 09:41'],
  // What the rest of a month costs, however long that is.
  [/\bAbout [\d,]+ credits more by\b/g, 'About 2,031 credits more by'],
  // What a doctor finds of the machine it runs on.
  [/\b\d+ of (\d+) calls that/g, '12 of $1 calls that'],
  [/\b(Node|Redis) \d+\.\d+\.\d+\b/g, '$1 20.18.1'],
  [/\bRedis was at [\w-]{8}:\d+/g, 'Redis was at 9C2D41B7:1234'],
  [/\bRequest [\w-]{8,}/g, 'Request 9C2D41B7'],
  // As each line of a story ends.
  [/· `[\w-]{8}`/g, '· `9C2D41B7`'],
  [/\bReference [\w-]{22}/g, 'Reference 9C2D41B7AAAAAAAAAAAAAA'],
  [/\/p\d{16}\b/g, '/p1795000000000000'],
  [/\bthread_ts=\d+\.\d+/g, 'thread_ts=1795000000.000000'],
  [/\b127\.0\.0\.1:\d+\b/g, '127.0.0.1:3000'],
  [/\b[\d,]+ bytes\b/g, '1,234 bytes'],
  // A whole reference, as it stands in a line of a file before the agent; one that a spreadsheet could take for a sum has a ' before it.
  [/,'?[\w-]{22}(?=,[^,\n]*$)/gm, ',9C2D41B7AAAAAAAAAAAAAA'],
];

/** A text without what differs between two runs: times, dates, durations, references, ports. Pure, and the same twice over. */
export function normalize(text: string): string {
  return REPLACEMENTS.reduce((words, [pattern, instead]) => words.replace(pattern, instead), text);
}
