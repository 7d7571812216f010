import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  createVerifier,
  type Fault,
  hashOf,
  type Link,
  type Mark,
  START,
} from '../../src/core/audit/chain.ts';
import { runs } from '../support/runs.ts';

/** A chain of so many entries, as it is written. */
function chainOf(count: number, from: Mark = START): Link[] {
  const links: Link[] = [];
  let last = from;
  for (let index = 0; index < count; index++) {
    const seq = last.seq + 1;
    const entry = JSON.stringify({ what: 'asked', ref: `r${seq}` });
    const hash = hashOf(seq, last.hash, entry);
    links.push({ id: `${seq}-0`, seq, before: last.hash, entry, hash });
    last = { seq, hash };
  }
  return links;
}

function headOf(links: readonly Link[], none: Mark = START): Mark {
  const last = links.at(-1);
  return last ? { seq: last.seq, hash: last.hash } : none;
}

function verify(links: readonly Link[], head: Mark, anchor: Mark = START): Fault | undefined {
  const verifier = createVerifier(anchor);
  for (const link of links) {
    const fault = verifier.next(link);
    if (fault) return fault;
  }
  return verifier.end(head);
}

/** One way to tamper: what is left of the chain, and the number of the first place that is not as it was. */
type Tamper = (links: readonly Link[], at: number, other: number) => { links: Link[]; first: number };

const relinked = (link: Link, entry: string): Link => ({
  ...link,
  entry,
  hash: hashOf(link.seq, link.before, entry),
});

const TAMPERINGS: Readonly<Record<string, Tamper>> = {
  'an entry edited': (links, at) => ({
    links: links.map((one, index) =>
      index === at ? { ...one, entry: one.entry.replace('asked', 'ended') } : one,
    ),
    first: at + 1,
  }),
  'an entry edited, its hash made again': (links, at) => ({
    links: links.map((one, index) => (index === at ? relinked(one, '{"what":"ended"}') : one)),
    first: at + 1,
  }),
  'an entry removed': (links, at) => ({ links: links.toSpliced(at, 1), first: at + 1 }),
  'some entries removed': (links, at, other) => ({
    links: links.toSpliced(at, 1 + (other % 5)),
    first: at + 1,
  }),
  'two entries swapped': (links, at, other) => {
    const [low, high] = [Math.min(at, other), Math.max(at, other)];
    const mixed = [...links];
    [mixed[low], mixed[high]] = [links[high]!, links[low]!];
    return { links: mixed, first: low + 1 };
  },
  'an entry put in a second time': (links, at, other) => ({
    links: links.toSpliced(other, 0, links[at]!),
    first: at === other ? at + 1 : other + (at === other - 1 ? 0 : 1),
  }),
  'an invented entry put in': (links, at) => {
    const { seq, before, id } = links[at]!;
    return {
      links: links.toSpliced(at, 0, relinked({ id, seq, before, entry: '', hash: '' }, '{}')),
      first: at + 1,
    };
  },
  'the end cut off': (links, at) => ({ links: links.slice(0, at), first: at + 1 }),
  'the beginning cut off': (links, at) => ({ links: links.slice(at + 1), first: 1 }),
};

const COUNT = 40;
const LINKS = chainOf(COUNT);

test('an audit that nobody touched is right, from its first entry or from where it was pruned', () => {
  expect(verify(LINKS, headOf(LINKS))).toBeUndefined();
  const anchor = headOf(LINKS.slice(0, 7));
  expect(verify(LINKS.slice(7), headOf(LINKS), anchor)).toBeUndefined();
  expect(verify([], START)).toBeUndefined();
});

describe.each(Object.entries(TAMPERINGS))('%s', (_, tamper) => {
  it('is found wherever it is, at its first place', () => {
    fc.assert(
      fc.property(fc.nat(COUNT - 1), fc.nat(COUNT - 1), (at, other) => {
        const { links, first } = tamper(LINKS, at, other);
        const isTouched = JSON.stringify(links) !== JSON.stringify(LINKS);
        const fault = verify(links, headOf(LINKS));
        expect(fault?.seq).toBe(isTouched ? first : undefined);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
