/** Lines about one metric: what it is, and its values. */
interface Family {
  readonly about: Map<string, string>;
  readonly values: string[];
}

const ABOUT = /^# (HELP|TYPE) (\S+)/;

/**
 * Several texts in Prometheus' format as one: each metric is explained once, and its values stand together, whichever text they
 * came from. Ends with a new line. Pure.
 */
export function joinMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) {
    let family: Family | undefined;
    for (const line of text.split('\n')) {
      const [, what = '', name = ''] = ABOUT.exec(line) ?? [];
      if (name !== '') {
        family = families.get(name) ?? { about: new Map(), values: [] };
        families.set(name, family);
        if (!family.about.has(what)) family.about.set(what, line);
      } else if (line !== '' && !line.startsWith('#')) family?.values.push(line);
    }
  }
  const lines = [...families.values()].flatMap(({ about, values }) => [...about.values(), ...values]);
  return lines.map((line) => `${line}\n`).join('');
}
