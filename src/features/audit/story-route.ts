import { z } from 'zod';
import { routeTool } from '../../core/agents/tool.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { withInstead, typedButton } from '../../core/intake/typed-button.ts';
import { labelWithPeople, withPeople } from '../../core/intake/with-people.ts';
import type { Route } from '../../core/intake/route.ts';
import { offerNear } from '../../core/lookup/known-names.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Spoken } from '../../core/sentences/phrasebook.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Button } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { ofReference, parseStoryWords, type StoryWords, findStory, type FoundStory } from './tell-story.ts';
import { isOfReference, withMembers, wordsOfSame, type Audited } from './words.ts';
import { nameOn, sendFile, sentWords } from '../../core/lists/send-file.ts';
import { isShared, shareStory } from './share-story.ts';
import { storyOf } from './story.ts';
import { nothingWords, storyFile, storyMessage, type Told } from './story-messages.ts';

export const STORY_ROUTE = 'lamplighter.story';
const SPOKEN: Spoken = {
  asks: [
    ['what (happened|went on|was going on) * <when>', '--last {since}'],
    ['what (happened|went on|was going on) * <span>', '{past}'],
    ['what (happened|went on)', '[{past}]'],
    ['what happened (to|with) <x>', '{xs} [{past}]'],
    ['(story|timeline) (of|about|for) <x>', '{xs} [{past}]'],
    ['(story|timeline) (of|since|for) * <span>', '{past}'],
    ['(story|timeline)', '[{who}] [{xs}] [{past}]'],
  ],
};
const FILE = '--file';
const SHARE = '--share';

/** `/lamplighter story [web-1|name:prod-*|2rFsoy-o] [since 23:00|--last 6h] [--file]`: who saw, said, approved and did what, and how it ended. */
export function storyRoute(deps: Audited): Route {
  const label: Route['label'] = (words, named) => labelWithPeople(deps.people, 'story', words, named);
  const shown = { id: STORY_ROUTE, verb: 'story', label, namesPeople: true } as const;
  return {
    ...shown,
    serves: 'story',
    spoken: SPOKEN,
    namesInstances: true,
    permission: 'instances:read',
    writes: (words) => words.includes(SHARE),
    isWrittenDown: (words) => words.includes(FILE) || words.includes(SHARE),
    came: async ({ id }) =>
      (await isShared(deps, id)) ? { lines: [say`Shared in this channel.`] } : undefined,
    tool: routeTool({
      name: 'get_story',
      title: 'Tell the story',
      description:
        'Tells who saw, said, approved and did what, and how it ended: of one instance, of one reference, or of everything.',
      input: z.object({
        about: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('An instance, or a reference of eight characters'),
        last: z
          .string()
          .regex(/^\d{1,3}[hd]$/)
          .optional()
          .describe('How far back, like 6h or 7d'),
      }),
      words: ({ about, last }) => [about, ...(last === undefined ? [] : ['--last', last])],
    }),
    usage: '[name or reference] [since 23:00] [--last 6h] [--file]',
    summary: 'who saw, said, approved and did what, and how it ended',
    idle: async (ask) => {
      const wanted = await wantedBy(deps, ask);
      const found = await findStory(deps, { actor: ask.actor, channelId: ask.place.channelId }, wanted);
      return found.recorded.length > 0 ? undefined : say`I have no record of that ${wanted.when}.`;
    },
    handle: async (ask) => {
      const wanted = await wantedBy(deps, ask);
      const found = await findStory(deps, { actor: ask.actor, channelId: ask.place.channelId }, wanted);
      if (wanted.isShared) return share(deps, ask, wanted, found);
      const lines = storyOf(found.recorded);
      if (wanted.isFile) return asFile(deps, ask, wanted, found);
      const buttons =
        lines.length === 0 ? [] : await buttonsFor(deps, wanted, !isDirect(ask.place.channelId));
      const said = storyMessage(lines, await toldOf(deps, wanted, found), buttons);
      const maySee = await deps.access.which(ask.actor, 'instances:read', ask.place.channelId);
      const near = await offerNear(deps.hosting, found.unmet, maySee);
      return withInstead(deps.offers, shown, said, near(ask.words));
    },
  };
}

/** Shows it to the channel. Throws a Refusal where nothing of it may be shown. */
async function share(deps: Audited, ask: Ask, wanted: StoryWords, found: FoundStory): Promise<Reply> {
  const shared = await shareStory(deps, ask, found, (part) => toldOf(deps, wanted, part));
  if (!ask.replaces && !shared.isShared) throw new Refusal('not-a-place', shared.said);
  if (!ask.replaces) return { lines: [shared.said] };
  // It takes the place of the story whose button was pressed: that stays, without the button.
  const buttons = await buttonsFor(deps, wanted, false);
  const whole = storyMessage(storyOf(found.recorded), await toldOf(deps, wanted, found), buttons);
  return { ...whole, note: whole.note ? say`${whole.note} ${shared.said}` : shared.said };
}

/** What is asked for in words, or by the reference of what a button stands under. Throws a Refusal. */
async function wantedBy(deps: Audited, { actor, words, value }: Ask): Promise<StoryWords> {
  const moment = await momentOf(deps, actor.userId, deps.clock.now());
  return value === undefined
    ? parseStoryWords(await withMembers(deps, words), { ...moment, keepMs: deps.keepMs })
    : ofReference(value, moment);
}

async function toldOf(
  deps: Audited,
  { things, userIds, when }: StoryWords,
  found: FoundStory,
): Promise<Told> {
  const { unmet, isCut, isPart } = found;
  return { when, things, userIds, unmet, isCut, isPart, link: await linkOf(deps, things, found) };
}

/** A link to the card of the one operation that was asked for by its reference. */
async function linkOf(
  { operations }: Audited,
  things: readonly string[],
  { recorded }: FoundStory,
): Promise<Phrase> {
  const [word, ...others] = things;
  if (word === undefined || others.length > 0) return say``;
  const isIts = ({ what, requestId }: Entry): boolean =>
    what === 'asked' && isOfReference({ requestId }, word);
  const its = recorded.filter(({ entry }) => isIts(entry));
  const [only, second] = its;
  const operation = only && !second ? await operations.find(only.entry.requestId) : undefined;
  return operation ? operations.linkTo(operation) : say``;
}

/** What else can be done with a story: each asks for just what was shown. */
async function buttonsFor(
  { offers }: Audited,
  wanted: StoryWords,
  isShareable: boolean,
): Promise<readonly Button[]> {
  const asking = (flag: string) => ({
    route: STORY_ROUTE,
    words: [...wordsOfSame(wanted, [...wanted.things, ...wanted.userIds], flag)],
  });
  const made = await Promise.all([
    ...(isShareable ? [typedButton(offers, 'Share', asking(SHARE))] : []),
    typedButton(offers, 'Send as a file', asking(FILE)),
  ]);
  return made.filter((one) => one !== undefined);
}

async function asFile(deps: Audited, { actor }: Ask, wanted: StoryWords, found: FoundStory): Promise<Reply> {
  const lines = storyOf(found.recorded);
  if (lines.length === 0)
    return { lines: [say`${nothingWords(await toldOf(deps, wanted, found))} So there is no file.`] };
  const name = nameOn('story', deps.clock.now(), 'txt');
  const text = await withPeople(deps.people, storyFile(lines, found.isCut));
  const cut = found.isCut ? say` These are the newest; there are more. Ask for less with --last.` : say``;
  const sent = say`${sentWords(name, lines.length)}${cut}`;
  return sendFile(deps, actor.userId, { name, text }, [sent]);
}
