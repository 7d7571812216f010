import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiState } from '../../service/api-switch.ts';
import type { Acted, OptionOfPage, TourStep, TroubleName, WorkspaceOfPage } from '../wire.ts';

/** An element of a message, a modal or the Home. */
export interface Spot {
  readonly target: string;
  readonly blockId: string;
  readonly actionId: string;
}

type Act =
  | { do: 'type'; where: string; text: string; thread?: string | undefined }
  | ({ do: 'press'; value?: string | undefined } & Spot)
  | ({ do: 'choose' | 'fill'; value: string } & Spot)
  | { do: 'submit'; target: string; entries: Readonly<Record<string, string>> }
  | { do: 'close'; target: string }
  | { do: 'open-app'; tab: 'home' | 'messages' }
  | { do: 'shortcut'; callbackId: string; message?: string }
  | { do: 'trouble'; name: TroubleName }
  | { do: 'api'; state: ApiState }
  | { do: 'fleet'; isLarge: boolean }
  | { do: 'tour'; step: TourStep };

/** What the person of this page can do. */
export interface Acting {
  readonly workspace: WorkspaceOfPage;
  /** Does it, and shows what goes wrong. */
  act(act: Act): Promise<Acted>;
  /** Shows a sentence for a while. */
  tell(sentence: string): void;
  search(spot: Spot, typed: string): Promise<readonly OptionOfPage[]>;
}

export const ActingContext = createContext<Acting | undefined>(undefined);

export function useActing(): Acting {
  const acting = useContext(ActingContext);
  if (!acting) throw new Error('nobody acts here');
  return acting;
}

/** Builds what a person can do; `tell` shows a sentence for a while. */
export function createActing(
  workspace: WorkspaceOfPage,
  who: string,
  tell: (sentence: string) => void,
): Acting {
  return {
    workspace,
    tell,
    act: async (act) => {
      const acted = (await post(who, act)) as Acted;
      if (acted.error !== undefined) tell(acted.error);
      return acted;
    },
    search: async (spot, typed) => {
      const found = (await post(who, { do: 'search', ...spot, typed })) as {
        options?: readonly OptionOfPage[];
      };
      return found.options ?? [];
    },
  };
}

async function post(who: string, body: object): Promise<unknown> {
  try {
    const answer = await fetch(`/api/act?as=${encodeURIComponent(who)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { error: 'The demo does not answer. Is it still running?' };
  }
}
