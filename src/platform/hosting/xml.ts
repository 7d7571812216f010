import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { Unreadable } from './unreadable.ts';

/** A surrogate without its other half, which is no character. */
const HALF = /\p{Surrogate}/u;

/** No answer of a service is that deep. */
const MAX_DEPTH = 100;

type Value = string | Element | (string | Element)[];
/** By the names of the elements in it. */
interface Element {
  [name: string]: Value;
}

/** An element that is open: its own text, and the elements in it, if there are any. */
interface Open {
  readonly name: string;
  text: string;
  inside?: Element;
}

/**
 * What stands in an XML document, as `{ [root]: … }`: an element without others in it is its text, always a text and as it stands
 * there; any other is an object by the names in it, where a name that comes several times is a list. Attributes are left out, and text
 * beside elements. It takes no DOCTYPE, so no entity can be declared. Throws Unreadable for what is no such document, and for a page
 * that is meant for a browser. Pure.
 */
export function readXml(text: string): unknown {
  // The parser fails at one in its own way.
  if (HALF.test(text)) refuse('with half a character');
  const document: Open = { name: '', text: '' };
  const open = [document];
  const here = (): Open => open.at(-1) ?? document;
  const add = (more: string): void => {
    here().text += more;
  };
  const parser = new SaxesParser({ position: false });
  parser.on('error', () => refuse('not well-formed'));
  parser.on('doctype', () => refuse('with a document type'));
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentagstart', ({ name }) => {
    if (open.length > MAX_DEPTH) refuse('too deep');
    open.push({ name, text: '' });
  });
  parser.on('closetag', () => {
    const { name, inside, text: own } = here();
    open.pop();
    put(here(), name, inside ?? own);
  });
  parser.write(text).close();
  const [root = 'html'] = Object.keys(document.inside ?? {});
  if (root.toLowerCase() === 'html') refuse('that is no answer');
  return document.inside;
}

function refuse(why: string): never {
  throw new Unreadable(`an XML document ${why}`);
}

function put(parent: Open, name: string, value: string | Element): void {
  // Without a prototype, so that neither `constructor` nor `__proto__` is more than a name.
  const inside = (parent.inside ??= Object.create(null) as Element);
  const before = inside[name];
  if (before === undefined) inside[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else inside[name] = [before, value];
}

/**
 * A list as `readXml` gives it, `<set><item/><item/></set>`: the elements called `name` of an element that may have none, one or several,
 * each read by `schema`.
 */
export function xmlList<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
): z.ZodType<z.output<Schema>[]> {
  return z.preprocess((set) => itemsOf(set, name), z.array(schema));
}

function itemsOf(set: unknown, name: string): unknown {
  if (typeof set === 'string' && set.trim() === '') return [];
  return isElement(set) && Object.hasOwn(set, name) ? [set[name]].flat() : set;
}

function isElement(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
