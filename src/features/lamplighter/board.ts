import { boardList } from '../../core/boards/messages.ts';
import { parsePlace } from '../../core/lists/asked-page.ts';
import { pageMessage } from '../../core/lists/list.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/intake/route.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

export const BOARD_ROUTE = 'lamplighter.board';

/** The button "Show all" of a board: every line, page by page, for who presses it where the board stands. */
export function boardRoute({ boardStore, access }: Pick<Bot, 'access' | 'boardStore'>): Route {
  return {
    id: BOARD_ROUTE,
    verb: 'board',
    permission: 'operations:read',
    writes: false,
    summary: 'every line of a board',
    handle: async (ask) => {
      // What an earlier release wrote had its row before the id.
      const { listId, from } = parsePlace(ask.value) ?? {
        listId: ask.value?.split(' ').at(-1) ?? '',
        from: 0,
      };
      const view = await boardStore.read(listId);
      // An id is no authority: what a channel shows is shown there alone.
      if (!view || view.board.place.channelId !== ask.place.channelId)
        throw new Refusal(
          'gone',
          say`I have no record of these operations any more. Their replies say how they ended.`,
        );
      const maySee = await access.which(ask.actor, 'operations:read', ask.place.channelId);
      // A line says the name alone.
      const members = view.members.filter(
        ({ name, header }) => header !== undefined || maySee({ id: '', name }),
      );
      return pageMessage(boardList(members, BOARD_ROUTE), { from, listId });
    },
  };
}
