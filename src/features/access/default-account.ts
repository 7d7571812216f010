import { oneOf } from '../../core/ask/mend-words.ts';
import type { Route } from '../../core/intake/route.ts';
import { setting } from '../../core/intake/setting.ts';
import { type AccessRecord, defaultIn, withDefault } from '../../core/policy/access-record.ts';
import { Refusal } from '../../core/refusal.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

const NONE = new Set(['none', 'off', 'no']);

/**
 * `/lamplighter default labs`: in this channel that account is meant where none is named. No route where there is one account. The
 * line comes to the account that it names, or whose default it may end.
 */
export function defaultAccountRoutes(deps: Bot): readonly Route[] {
  const { accountName: own, accessStore } = deps;
  if (own === undefined) return [];
  const route = setting(deps, {
    route: {
      id: 'lamplighter.default',
      verb: 'default',
      permission: undefined,
      writePermission: 'access:grant',
      usage: '[account | none]',
      summary: 'which account is meant in this channel where none is named',
    },
    store: accessStore,
    read: async ({ words, place: { channelId }, actor: { userId: by }, askedAt: at }) => {
      const [word, ...others] = words.map((one) => one.toLowerCase().replace(/:$/, ''));
      if (word === undefined) return undefined;
      const isDefault = !NONE.has(word);
      if (others.length > 0 || (isDefault && word !== own))
        throw new Refusal('bad-argument', noSuch(word, own), oneOf([own], ['none']));
      if (!isDefault && !isDefaultNow(deps, await accessStore.get(), channelId))
        throw new Refusal(
          'bad-argument',
          say`${own} isn't the default account of this channel, so nothing was changed.`,
        );
      const line = isDefault ? itIs(own, by) : noLonger(own, by);
      return {
        step: (record) => withDefault(record, { channelId, isDefault, by, at }),
        fact: () => line,
        answer: ({ isPosted, isChanged }) => {
          if (isPosted) return { lines: [say`Saved and posted here.`] };
          return isChanged ? { lines: [line] } : undefined;
        },
      };
    },
    shown: (record, { place: { channelId } }) => {
      const set = defaultIn(record, channelId);
      if (set?.isDefault) return { lines: [itIs(own, set.by)] };
      if (!set && deps.defaultIn.includes(channelId)) return { lines: [byFile(own)] };
      return { lines: [noneIs(own)], presses: [[own]] };
    },
  });
  return [route];
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
