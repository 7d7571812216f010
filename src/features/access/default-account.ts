import { oneOf } from '../../core/ask/mend-words.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/with-instead.ts';
import { saidHere } from '../../core/outbox/said-here.ts';
import { type AccessRecord, defaultIn, withDefault } from '../../core/policy/access-record.ts';
import { together } from '../../core/records/commit.ts';
import { Refusal } from '../../core/refusal.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

const ROUTE = { id: 'lamplighter.default', verb: 'default' } as const;
const NONE = new Set(['none', 'off', 'no']);

/**
 * `/lamplighter default labs`: in this channel that account is meant where none is named. No route where there is one account. The
 * line comes to the account that it names, or whose default it may end.
 */
export function defaultAccountRoutes(deps: Bot): readonly Route[] {
  const { accountName: own, accessStore, outbox, clock } = deps;
  if (own === undefined) return [];
  return [
    {
      ...ROUTE,
      permission: undefined,
      writePermission: 'access:grant',
      writes: (words) => words.length > 0,
      usage: '[account | none]',
      summary: 'which account is meant in this channel where none is named',
      handle: async (ask, audit) => {
        const { channelId } = ask.place;
        const [word, ...others] = ask.words.map((one) => one.toLowerCase().replace(/:$/, ''));
        if (word === undefined) {
          const set = defaultIn(await accessStore.get(), channelId);
          if (set?.isDefault) return { lines: [itIs(own, set.by)] };
          if (!set && deps.defaultIn.includes(channelId)) return { lines: [byFile(own)] };
          return withInstead(deps.offers, ROUTE, { lines: [noneIs(own)] }, [[own]]);
        }
        const isDefault = !NONE.has(word);
        if (others.length > 0 || (isDefault && word !== own))
          throw new Refusal('bad-argument', noSuch(word, own), oneOf([own], ['none']));
        const now = clock.now();
        if (!isDefault && !isDefaultNow(deps, await accessStore.get(), channelId))
          throw new Refusal(
            'bad-argument',
            say`${own} isn't the default account of this channel, so nothing was changed.`,
          );
        // A request that is carried out again is no newer than it was.
        const set = { channelId, isDefault, by: ask.actor.userId, at: ask.askedAt };
        const line = isDefault ? itIs(own, ask.actor.userId) : noLonger(own, ask.actor.userId);
        const said = saidHere(ask, { lines: [line] });
        audit('recorded');
        await accessStore.change(
          (record) => withDefault(record, set),
          async () =>
            together<'moved'>(
              { audit: entryOf(ask, 'set', now, { result: 'done' }) },
              await outbox.saying(said, 'moved'),
            ),
        );
        return { lines: [said.length > 0 ? say`Saved and posted here.` : line] };
      },
    },
  ];
}

function isDefaultNow({ defaultIn: ofFile }: Bot, record: AccessRecord, channelId: string): boolean {
  return defaultIn(record, channelId)?.isDefault ?? ofFile.includes(channelId);
}

function byFile(account: string): Phrase {
  return say`${account} is the default account in this channel, by the configuration.`;
}

function itIs(account: string, by: string): Phrase {
  return say`${account} is the default account in this channel, set by ${person(by)}. To ask another one, put its name and a colon first.`;
}

function noLonger(account: string, by: string): Phrase {
  return say`This channel has no default account any more: ${person(by)} removed ${account}.`;
}

function noneIs(account: string): Phrase {
  return say`No one has set a default account for this channel. It can be ${account}, or any other whose name you type after /lamplighter default.`;
}

function noSuch(word: string, account: string): Phrase {
  return say`I don't know an account called "${word}" here, so nothing was changed. Do you mean ${account}?`;
}
