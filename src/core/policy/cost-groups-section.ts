import { z } from 'zod';
import { type Costed, readCostFilter } from '../instances/cost-filter.ts';
import { must } from './must.ts';

/** Names for parts of the costs, in the order of the file. */
export type CostGroups = readonly { readonly name: string; readonly filter: string }[];

/** What stands for all of them where one is named. */
export const ALL_GROUPS = 'all';

/** Begins with a letter, since an amount begins with a digit. */
const NAME = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}._-]{0,79}$/u;

const filter = z.string(must('a filter like name:web-*')).superRefine((text, context) => {
  const read = readCostFilter(text);
  if ('why' in read) context.addIssue({ code: 'custom', message: read.why });
});

/** The section `costgroups` of a policy file: filters of instances by the names of the groups. Each message is the end of a sentence. */
export const costGroupsSection = z.record(
  z
    .string()
    .regex(NAME, 'must be a name in lower case that begins with a letter, without spaces')
    .refine((name) => name !== ALL_GROUPS, "can't be the name of a group: it stands for all costs"),
  filter,
  must('a map of names to filters like name:web-*'),
);

/** The section in the order of the file. */
export function costGroupsOf(section: Readonly<Record<string, string>>): CostGroups {
  return Object.entries(section).map(([name, text]) => ({ name, filter: text }));
}

/** Gives the group that an instance counts in, which is the first whose filter it passes; undefined where it is none. Pure. */
export function groupsBy(groups: CostGroups): (instance: Costed) => string | undefined {
  const read = groups.flatMap(({ name, filter: text }) => {
    const one = readCostFilter(text);
    return 'filter' in one ? [{ name, isIn: one.filter }] : [];
  });
  return (instance) => read.find(({ isIn }) => isIn(instance))?.name;
}
