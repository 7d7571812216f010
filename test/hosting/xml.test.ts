import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseBody } from '../../src/platform/hosting/body.ts';
import { Unreadable } from '../../src/platform/hosting/unreadable.ts';
import { readXml, xmlList } from '../../src/platform/hosting/xml.ts';
import { PURE_RUNS, RULE_RUNS } from '../support/runs.ts';

/** An element as it was made, before anybody wrote it down. */
type Made = string | readonly (readonly [name: string, Made])[];

const names = fc.oneof(
  fc.constantFrom('item', 'name', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'a:b', 'x-1'),
  fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/),
);
/** What XML may hold, without what it makes of ends of lines. */
const texts = fc.oneof(
  fc.constantFrom('0123', '1e5', '-0', 'true', 'null', ' ', '&amp;', '<a>', ']]>', '&', 'ä😀', '  x  '),
  fc.string({ unit: fc.stringMatching(/^[\t\n -~¡-퟿]$/) }),
);
const { element } = fc.letrec<{ element: Made }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    fc.array(fc.tuple(names, tie('element')), { minLength: 1, maxLength: 4 }),
  ),
}));
const ways = fc.array(fc.nat(5), { minLength: 1 });

/** A text in one of the ways in which it can be written, and the same with what means nothing around it. */
function written(text: string, way: number): string {
  if (way === 1 && !text.includes(']]>')) return `<![CDATA[${text}]]>`;
  if (way === 2) return [...text].map((one) => `&#${one.codePointAt(0)};`).join('');
  if (way === 3) return `<!-- not "<" this -->${escaped(text)}`;
  return escaped(text);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function document(name: string, made: Made, next: () => number): string {
  if (typeof made === 'string') return `<${name} id="7">${written(made, next())}</${name}>`;
  const inside = made.map(([own, inner]) => document(own, inner, next));
  const between = next() > 3 ? '\n  ' : '';
  return `<${name}>${between}${inside.join(between)}${between}</${name}>`;
}

/** What is meant by it, by other means than those of the reader. */
function meant(made: Made): unknown {
  if (typeof made === 'string') return made;
  const fields = [...new Set(made.map(([name]) => name))].map((name) => {
    const all = made.filter(([own]) => own === name).map(([, inner]) => meant(inner));
    return [name, all.length === 1 ? all[0] : all] as const;
  });
  return Object.fromEntries(fields);
}

describe('an answer in XML', () => {
  test('is read for what it says, in whichever way that is written', () => {
    fc.assert(
      fc.property(names, element, ways, (root, made, [...order]) => {
        fc.pre(root !== '__proto__');
        const next = (): number => {
          const [first = 0, ...others] = order;
          order.splice(0, order.length, ...others, first);
          return first;
        };
        expect(readXml(document(root, made, next))).toEqual({ [root]: meant(made) });
      }),
      { numRuns: RULE_RUNS },
    );
  });

  test('changes nothing of what all objects have', () => {
    const read = readXml('<a><__proto__><isAdmin>yes</isAdmin></__proto__><constructor>x</constructor></a>');
    const { a } = z.object({ a: z.unknown() }).parse(read);
    expect(Object.keys(Object(a))).toEqual(['__proto__', 'constructor']);
    expect(Object(a).isAdmin).toBeUndefined();
    expect(Object({}).isAdmin).toBeUndefined();
  });

  test('keeps digits as they stand', () => {
    expect(readXml('<a><id>0123</id><n>1e5</n><b>true</b><none/></a>')).toEqual({
      a: { id: '0123', n: '1e5', b: 'true', none: '' },
    });
  });

  const LAUGHS = `<!DOCTYPE a [<!ENTITY b "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n} "&b;&b;">`).join('')}]><a>&b19;</a>`;
  test.each([
    ['entities that grow', LAUGHS],
    ['a file from outside', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a document type from outside', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd"><a/>'],
    ['an entity that nobody declared', '<a>&nbsp;</a>'],
    ['an entity that every object has', '<a>&constructor;</a>'],
    ['an entity called __proto__', '<a>&__proto__;</a>'],
    ['a character that is none', '<a>&#0;</a>'],
    ['half a character', '<a>\ud800</a>'],
    ['half a character at its end', '<!DOCTYPE<![CDATA[<?<?\ud800'],
    ['two roots', '<a/><b/>'],
    ['an element that does not end', '<a><b></a>'],
    ['an answer that breaks off', '<a><b>1</b'],
    ['text behind it', '<a/>!'],
    ['text alone', 'Forbidden'],
    ['nothing', ' '],
    ['a page for a browser', '<html><head><title>Access denied</title></head></html>'],
    ['elements in elements without an end', '<a>'.repeat(200_000)],
    ['elements deeper than any service has', `${'<a>'.repeat(101)}${'</a>'.repeat(101)}`],
  ])('is none with %s', (_, text) => {
    expect(() => readXml(text)).toThrow(Unreadable);
  });

  test('any text is read, or is none', () => {
    const parts = fc.constantFrom(
      '<a>',
      '</a>',
      '<a/>',
      '&',
      '&lt;',
      ';',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?',
      '?>',
      'x',
      '<!DOCTYPE',
      '[',
      '"',
      '\0',
      '\ud800',
      '=',
      ' ',
    );
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(odd, (text) => {
        try {
          expect(Object.keys(Object(readXml(text)))).toHaveLength(1);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: PURE_RUNS },
    );
  });

  test('of which one thing is another is read, or is none', () => {
    fc.assert(
      fc.property(element, fc.nat(), fc.nat(9), fc.string(), (made, at, length, other) => {
        const text = document('a', made, () => 0);
        const from = at % text.length;
        const changed = `${text.slice(0, from)}${other}${text.slice(from + length)}`;
        try {
          readXml(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: RULE_RUNS },
    );
  });
});

describe('a list in XML', () => {
  const wire = z.object({ a: z.object({ set: xmlList('item', z.object({ id: z.string() })) }) });
  const idsIn = (inside: string): unknown =>
    wire.safeParse(readXml(`<a><set>${inside}</set></a>`)).data?.a.set.map(({ id }) => id);

  test.each([
    ['', []],
    ['\n  ', []],
    ['<item><id>0123</id></item>', ['0123']],
    ['<item><id>1</id></item>\n<item><id>2</id></item>', ['1', '2']],
    ['none', undefined],
    ['<other><id>1</id></other>', undefined],
    ['<item>1</item>', undefined],
  ])('%j has %j', (inside, ids) => {
    expect(idsIn(inside)).toEqual(ids);
  });

  test('is missing where it may be', () => {
    const some = z.object({ a: z.object({ b: z.string(), set: xmlList('item', z.string()).optional() }) });
    expect(some.parse(readXml('<a><b>1</b></a>'))).toEqual({ a: { b: '1' } });
    expect(wire.safeParse(readXml('<a><b>1</b></a>')).success).toBe(false);
  });
});

describe('a body', () => {
  test('that the service writes in its own way is read so, and any other as ever', () => {
    expect(parseBody('<a>1</a>', readXml)).toEqual({ a: '1' });
    expect(parseBody('{"message":"Forbidden"}', readXml)).toEqual({ message: 'Forbidden' });
    expect(parseBody('Forbidden', readXml)).toBe('Forbidden');
    expect(parseBody(' ', readXml)).toBeUndefined();
    expect(parseBody('<a>1</a>')).toBe('<a>1</a>');
  });

  test('whose reader gives a promise, that is refused later, is read as any other', async () => {
    expect(parseBody('<a>1</a>', async () => Promise.reject(new Error('late')))).toBe('<a>1</a>');
    // An unhandled rejection would end this process within a turn.
    await new Promise(setImmediate);
  });
});
