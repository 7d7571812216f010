import { readdirSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { HEADINGS, printPhrases } from '../../sandbox/phrases/print-phrases.ts';
import { record, records } from '../../sandbox/slack/json.ts';
import type { SlackDouble } from '../../sandbox/slack/index.ts';
import type { Block } from '../../sandbox/web/wire.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { undrawnIn } from '../web/undrawn-in.ts';

let pages: ReadonlyMap<string, string>;
const sent: (readonly Block[])[] = [];

beforeAll(async () => {
  pages = await printPhrases(takeDatabase, (slack) => sent.push(...payloadsIn(slack)));
}, 400_000);

/** Changed what people read? `npm run phrases` writes it anew, for the review. */
it.each(HEADINGS)('what people read is as in the snapshot of "%s"', async (heading) => {
  await expect(pages.get(heading)).toMatchFileSnapshot(`pages/${fileOf(heading)}`);
});

it('no snapshot is left of a page that is no more', () => {
  expect(readdirSync('test/phrases/pages').toSorted()).toEqual(HEADINGS.map(fileOf).toSorted());
});

it('all that the bot says in any state is drawn in the browser', () => {
  expect(sent.length).toBeGreaterThan(500);
  const types = new Set(sent.flat().map((block) => String(block['type'])));
  expect(types).toEqual(
    new Set([
      'actions',
      'container',
      'data_table',
      'data_visualization',
      'divider',
      'input',
      'rich_text',
      'table',
    ]),
  );
  expect(sent.flatMap(undrawnIn)).toEqual([]);
});

/** The name of the page with a heading: its words in small letters, with hyphens. */
function fileOf(heading: string): string {
  return `${heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')}.md`;
}

/** The blocks of every message in each of its versions, and of every modal and Home. */
function payloadsIn(slack: SlackDouble): (readonly Block[])[] {
  const views = slack.calls.flatMap(({ args }) =>
    'view' in args ? [records(record(args['view'])['blocks'])] : [],
  );
  const people = slack.everybody();
  const channels = new Set(people.flatMap(({ id }) => [...slack.channelsOf(id), slack.person(id).dm]));
  const messages = [...channels].flatMap(({ history }) =>
    history.flatMap(({ edits, blocks }) => [...edits.map((edit) => edit.blocks), blocks]),
  );
  return [...views, ...messages];
}
