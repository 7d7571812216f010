import { z } from 'zod';

/**
 * How Slack knows which of several hosting accounts something is about: the account's name stands on all that is said, and
 * before the id of all that can be pressed, picked or submitted.
 */
export interface AccountMark {
  readonly account: string;
  /** Names of the other accounts that a person can go to from their Home. */
  readonly othersFor: (userId: string) => readonly string[];
  /** The action id of the buttons that lead there. */
  readonly homeActionId: string;
}

const SEPARATOR = '/';
const MARKED = /^([a-z][a-z0-9-]{0,19})\/(.+)$/s;

const looseObject = z.looseObject({});
const withText = z.looseObject({ text: z.string() });
const withBlocks = z.looseObject({ blocks: z.array(looseObject) });
const withView = z.looseObject({ view: withBlocks });
const withFiles = z.looseObject({ files: z.array(z.looseObject({ title: z.string() })) });
const richTextSchema = z.looseObject({
  type: z.literal('rich_text'),
  elements: z.tuple([z.looseObject({ elements: z.array(looseObject) })], looseObject),
});

/** An id that names its account. Pure. */
export function markedId(account: string, id: string): string {
  return `${account}${SEPARATOR}${id}`;
}

/** The account and the id of a marked one; undefined where it has no mark. Pure. */
function readMarkedId(text: string): { readonly account: string; readonly id: string } | undefined {
  const [, account, id] = MARKED.exec(text) ?? [];
  return account === undefined || id === undefined ? undefined : { account, id };
}

/** What is sent to Slack, with the account's mark: a message, a view, or the arguments of a call that holds one. Pure. */
export function marked<Content extends object>(
  mark: AccountMark | undefined,
  content: Content,
  userId?: string,
): Content {
  if (!mark) return content;
  const { account } = mark;
  const text = withText.safeParse(content).data?.text;
  const blocks = withBlocks.safeParse(content).data?.blocks;
  const view = withView.safeParse(content).data?.view;
  const files = withFiles.safeParse(content).data?.files;
  return {
    ...content,
    ...(text === undefined ? {} : { text: `${account} · ${text}` }),
    ...(blocks === undefined ? {} : { blocks: markedBlocks(account, blocks) }),
    ...(view === undefined ? {} : { view: markedView(mark, view, userId) }),
    ...(files && { files: files.map((file) => ({ ...file, title: `${account} · ${file.title}` })) }),
  };
}

type Blocks = z.output<typeof withBlocks>['blocks'];

function markedView(
  { account, othersFor, homeActionId }: AccountMark,
  view: z.output<typeof withView>['view'],
  userId: string | undefined,
): object {
  const { callback_id: routeId } = view;
  const others = view['type'] === 'home' && userId !== undefined ? othersFor(userId) : [];
  return {
    ...view,
    ...(typeof routeId === 'string' ? { callback_id: markedId(account, routeId) } : {}),
    blocks: [...goTo(others, homeActionId), ...markedBlocks(account, view.blocks)],
  };
}

/** Slack takes so many buttons in one block. */
const MAX_BUTTONS = 25;

/** Buttons that lead to the Home of the other accounts. */
function goTo(others: readonly string[], homeActionId: string): object[] {
  if (others.length === 0) return [];
  const elements = others.slice(0, MAX_BUTTONS).map((name) => ({
    type: 'button',
    action_id: markedId(name, homeActionId),
    text: { type: 'plain_text', text: `Go to ${name}`, emoji: false },
    value: name,
  }));
  return [{ type: 'actions', elements }];
}

function markedBlocks(account: string, blocks: Blocks): object[] {
  return blocks.map((block, index) => {
    const ids = withMarkedIds(account, block);
    const rich = index === 0 ? richTextSchema.safeParse(ids).data : undefined;
    return rich ? labeled(account, rich) : ids;
  });
}

/** The name on a line of its own, in the block that is there anyway: a block more would count against Slack's limits. */
function labeled(account: string, block: z.output<typeof richTextSchema>): object {
  const [first, ...rest] = block.elements;
  const label = { type: 'text', text: account, style: { code: true } };
  const elements = [label, { type: 'text', text: '\n' }, ...first.elements];
  return { ...block, elements: [{ ...first, elements }, ...rest] };
}

/** The same with the account before every action id, however deep. */
function withMarkedIds<Part>(account: string, part: Part): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => withMarkedIds(account, one)) as Part;
  if (part === null || typeof part !== 'object') return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]: [string, unknown]) => [
      name,
      name === 'action_id' && typeof value === 'string'
        ? markedId(account, value)
        : withMarkedIds(account, value),
    ]),
  ) as Part;
}

const pressed = z.looseObject({
  actions: z.array(z.looseObject({ action_id: z.string() })).min(1),
});
const typed = z.looseObject({ action_id: z.string() });
const submitted = z.looseObject({ view: z.looseObject({ callback_id: z.string() }) });

/** The account that a press, a pick or a submitted modal is marked with, and the same without the mark. Pure. */
export function unmarked<Body>(
  kind: 'press' | 'suggestion' | 'submission',
  body: Body,
): { readonly account: string | undefined; readonly body: Body } {
  const id = idIn(kind, body);
  const mark = id === undefined ? undefined : readMarkedId(id);
  if (!mark) return { account: undefined, body };
  return { account: mark.account, body: withId(kind, body, mark) };
}

function idIn(kind: 'press' | 'suggestion' | 'submission', body: unknown): string | undefined {
  if (kind === 'press') return pressed.safeParse(body).data?.actions[0]?.action_id;
  if (kind === 'suggestion') return typed.safeParse(body).data?.action_id;
  return submitted.safeParse(body).data?.view.callback_id;
}

function withId<Body>(
  kind: 'press' | 'suggestion' | 'submission',
  body: Body,
  { id }: { readonly id: string },
): Body {
  if (kind === 'suggestion') return { ...body, action_id: id };
  if (kind === 'submission') {
    const { view } = submitted.parse(body);
    return { ...body, view: { ...view, callback_id: id } };
  }
  const { actions } = pressed.parse(body);
  const own = actions.map((one) => ({ ...one, action_id: readMarkedId(one.action_id)?.id ?? one.action_id }));
  return { ...body, actions: own };
}
