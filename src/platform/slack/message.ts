import { z } from 'zod';
import { type Chart, chartSchema, type Table, tableSchema } from './figures.ts';
import { type Phrase, phraseSchema } from './phrase.ts';

/** One message as data: what it says, then what can be pressed. Rendered to blocks within Slack's limits. */
export interface Message {
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  /** How many bullets there are besides those, which would not be shown anyway. */
  readonly moreBullets?: number;
  /** More of them, which a reader unfolds; where nothing can be folded they follow the others. */
  readonly folded?: Folded;
  /** A picture of the table; a client that knows no charts is shown the same without. */
  readonly chart?: Chart;
  readonly table?: Table;
  /** Things with buttons of their own, each on a line. */
  readonly rows?: readonly Row[];
  readonly note?: Phrase;
  /** Buttons that narrow what is shown, on a line of their own: Slack shows at most five. */
  readonly filters?: readonly Button[];
  readonly buttons?: readonly Button[];
  /** What else can be pressed, behind the three dots: Slack shows at most five. */
  readonly menu?: readonly Button[];
  readonly picker?: Picker;
  /** What is missing, each in a field of its own. */
  readonly blanks?: readonly Blank[];
  /** A select of several beside the buttons that act on what is picked. */
  readonly several?: SeveralPicker;
  /** Says it better, where the person who is to read this alone has just typed or pressed something. */
  readonly modal?: Modal;
  /** What an answer is about, which "it" means where people go on below it. */
  readonly about?: About;
}

/** What was asked, and of which instances. */
export const aboutSchema = z.object({
  routeId: z.string(),
  instances: z
    .array(z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() }))
    .readonly(),
});
export type About = Readonly<z.infer<typeof aboutSchema>>;

/** All lines of a message's list, the folded ones last. */
export function bulletsOf({ bullets = [], folded }: Pick<Message, 'bullets' | 'folded'>): readonly Phrase[] {
  return folded ? [...bullets, ...folded.bullets] : bullets;
}

/** The first so many lines of a list, and how many there are besides. */
export function upTo(most: number, lines: readonly Phrase[]): Pick<Message, 'bullets' | 'moreBullets'> {
  const more = lines.length - most;
  return { bullets: lines.slice(0, most), ...(more > 0 ? { moreBullets: more } : {}) };
}

/** Lines of a list that few need, under a title of at most 150 characters. */
export interface Folded {
  readonly title: string;
  readonly bullets: readonly Phrase[];
}

/** A line with buttons below it: Slack shows at most five. */
export interface Row {
  readonly line: Phrase;
  readonly buttons: readonly Button[];
}

/** A button. `routeId` is its action id; `value` is short, at most 300 characters, and never authority. */
export interface Button {
  readonly label: string;
  readonly routeId: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger';
  /** Opens this address in the browser, and does nothing else. */
  readonly url?: string;
  /** What it acts on, which a screen reader says with the label. */
  readonly about?: Subject;
}

/** Something that has a name and an id. */
interface Subject {
  readonly id: string;
  readonly name: string;
}

/** Buttons of a message that are all about one thing. */
export function buttonsAbout<One extends Button>(
  { id, name }: Subject,
  buttons: readonly One[],
): readonly One[] {
  return buttons.map((one) => ({ ...one, about: { id, name } }));
}

/** The action id of every button that opens an address: no route, and nothing comes of its press. */
export const LINK_ID = 'link.open';

/** A button that opens `url`, which is configured: nothing that a person or a service wrote may stand in it unencoded. */
export function linkButton(label: string, url: string): Button {
  return { label, routeId: LINK_ID, value: 'open', url };
}

/** So many buttons stand beside each other. */
const MAX_VISIBLE = 2;

/** What can be pressed, the first two as buttons and the rest behind the three dots; `menu` is there in any case. */
export function twoAndMenu(
  all: readonly Button[],
  menu: readonly Button[] = [],
): Pick<Message, 'buttons' | 'menu'> {
  const buttons = all.slice(0, MAX_VISIBLE);
  const behind = [...all.slice(MAX_VISIBLE), ...menu];
  return {
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(behind.length > 0 ? { menu: behind } : {}),
  };
}

/** A select with type-ahead whose choice is handed to `routeId`. */
export interface Picker {
  readonly routeId: string;
  readonly placeholder: string;
  /** The id of the words that the choice is to complete, or the place in the list that it is made from. */
  readonly keeps?: string;
}

/** A person or a channel to pick, or a text to type on one line, which is handed to `routeId` at once or with a button's press. */
export interface Blank {
  readonly routeId: string;
  readonly asks: 'person' | 'channel' | 'text';
  readonly label: string;
  /** The id of the words that it completes. */
  readonly keeps: string;
}

/** A select with type-ahead of several. A press of one of its buttons hands over what is picked then. */
export interface SeveralPicker {
  readonly routeId: string;
  readonly placeholder: string;
  /** The place in the list that it is made from. */
  readonly keeps: string;
  readonly buttons: readonly Button[];
}

/** A field of a form. What is picked in it comes from the choices of the modal's route, which hears of it by `name`. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Set where nothing is typed: how many are picked, and what stands there before. */
  readonly picks?: { readonly most: number; readonly placeholder: string };
  readonly isOptional?: true;
}

/**
 * A modal, handed to `routeId` when it is submitted: with one field, what was typed, or the one that was picked of that
 * route's choices; with a form, what was filled into each of its fields.
 */
export interface Modal {
  readonly routeId: string;
  /** An opaque id, never authority. */
  readonly value: string;
  readonly title: string;
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  readonly form?: readonly FormField[];
  readonly field?: {
    readonly label: string;
    readonly hint?: string;
    /** Set where one of the route's choices is picked, and nothing is typed. */
    readonly placeholder?: string;
  };
  readonly submit: string;
  /** "Cancel", where nothing is said. */
  readonly close?: string;
}

/** One line of a picker: foreign label, id as value. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What stands over all of them, if it does over the first. */
  readonly heading?: string;
}

export const buttonSchema = z.object({
  label: z.string(),
  routeId: z.string(),
  value: z.string(),
  style: z.enum(['primary', 'danger']).optional(),
  about: z.object({ id: z.string(), name: z.string() }).optional(),
  url: z.url({ protocol: /^https$/ }).optional(),
});

/** A message as it is kept in Redis until it has been delivered. */
export const messageSchema: z.ZodType<Message> = z.object({
  lines: z.array(phraseSchema),
  bullets: z.array(phraseSchema).optional(),
  moreBullets: z.number().optional(),
  folded: z.object({ title: z.string(), bullets: z.array(phraseSchema) }).optional(),
  chart: chartSchema.optional(),
  table: tableSchema.optional(),
  rows: z.array(z.object({ line: phraseSchema, buttons: z.array(buttonSchema) })).optional(),
  note: phraseSchema.optional(),
  filters: z.array(buttonSchema).optional(),
  buttons: z.array(buttonSchema).optional(),
  menu: z.array(buttonSchema).optional(),
  picker: z.object({ routeId: z.string(), placeholder: z.string(), keeps: z.string().optional() }).optional(),
  blanks: z
    .array(
      z.object({
        routeId: z.string(),
        asks: z.enum(['person', 'channel', 'text']),
        label: z.string(),
        keeps: z.string(),
      }),
    )
    .optional(),
  several: z
    .object({
      routeId: z.string(),
      placeholder: z.string(),
      keeps: z.string(),
      buttons: z.array(buttonSchema),
    })
    .optional(),
  about: aboutSchema.optional(),
  modal: z
    .object({
      routeId: z.string(),
      value: z.string(),
      title: z.string(),
      lines: z.array(phraseSchema),
      bullets: z.array(phraseSchema).optional(),
      form: z
        .array(
          z.object({
            name: z.string(),
            label: z.string(),
            hint: z.string().optional(),
            picks: z.object({ most: z.number(), placeholder: z.string() }).optional(),
            isOptional: z.literal(true).optional(),
          }),
        )
        .optional(),
      field: z
        .object({
          label: z.string(),
          hint: z.string().optional(),
          placeholder: z.string().optional(),
        })
        .optional(),
      submit: z.string(),
    })
    .optional(),
});
