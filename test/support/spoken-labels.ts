import { elementsOf } from '../../sandbox/slack/limits/across.ts';
import { type Json, parseJson, record, records, string } from '../../sandbox/slack/json.ts';
import type { ApiCall } from '../../sandbox/slack/api/calls.ts';

/** Messages and views of these calls in which two buttons sound the same to a screen reader, as what they say twice. */
export function saidTwiceIn(calls: readonly ApiCall[]): readonly string[] {
  return calls.flatMap(({ args }) => {
    const said = blocksOf(args).flatMap((block) =>
      elementsOf(block)
        .filter(({ element }) => element['type'] === 'button')
        .map(
          ({ element }) =>
            string(element['accessibility_label']) ?? string(record(element['text'])['text']) ?? '',
        ),
    );
    return said.filter((label, at) => said.indexOf(label) < at);
  });
}

function blocksOf(args: Json): readonly Json[] {
  const parsed = (given: unknown): unknown => (typeof given === 'string' ? parseJson(given) : given);
  return [args['blocks'], record(parsed(args['view']))['blocks']].flatMap((blocks) =>
    records(parsed(blocks) ?? []),
  );
}
