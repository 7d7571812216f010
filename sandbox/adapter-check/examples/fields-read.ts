import { type Finding, notTried } from '../finding.ts';

/** What an adapter reads of each kind of record, and which of it an example means. */
export interface FieldsRead {
  /** Takes records of one kind, of whichever answers. `means`: what an example of it means, one or several. */
  of(name: string, means: unknown): (record: object | undefined) => void;
  /** A line for each kind of which something is read that no example means. */
  unmeant(): readonly Finding[];
}

/** What every record has, or is made of what else it says. */
const OF_EACH = ['id', 'name', 'status', 'statusWord', 'state', 'servedAt'];

export function createFieldsRead(): FieldsRead {
  const kinds = new Map<string, { readonly read: Set<string>; readonly meant: Set<string> }>();
  return {
    of: (name, means) => {
      const kind = /^(?:list|one)\b/.test(name) ? 'an instance' : name;
      const { read, meant } = kinds.get(kind) ?? { read: new Set(), meant: new Set() };
      kinds.set(kind, { read, meant });
      for (const one of [means].flat()) for (const field of fieldsOf(one)) meant.add(field);
      return (record) => fieldsOf(record).forEach((field) => read.add(field));
    },
    unmeant: () =>
      [...kinds].flatMap(([kind, { read, meant }]) => {
        const open = [...read].filter((field) => !meant.has(field) && !OF_EACH.includes(field));
        return open.length > 0
          ? [notTried(`what is read of ${kind}`, `there is no example of ${open.join(', ')}`)]
          : [];
      }),
  };
}

/** The names of what a record has; of what is possible each by itself: `can.start`. */
function fieldsOf(record: unknown): readonly string[] {
  if (typeof record !== 'object' || record === null) return [];
  return Object.entries(record).flatMap(([field, value]: [string, unknown]) => {
    if (value === undefined) return [];
    return field === 'can' ? fieldsOf(value).map((verb) => `can.${verb}`) : [field];
  });
}
