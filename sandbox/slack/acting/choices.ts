import type { Json } from '../json.ts';

/** What people have chosen or typed in messages and views, not yet submitted. */
export class Choices {
  readonly #chosen = new Map<string, Json>();
  readonly #offered = new Map<string, Json[]>();

  set(place: Place, value: Json): void {
    this.#chosen.set(keyOf(place), value);
  }

  find(place: Place): Json | undefined {
    return this.#chosen.get(keyOf(place));
  }

  /** The options that the bot last gave this person for this element. */
  offer(place: Place, options: Json[]): void {
    this.#offered.set(keyOf(place), options);
  }

  offered(place: Place): Json[] | undefined {
    return this.#offered.get(keyOf(place));
  }
}

/** An element in front of a person. `target` is a message's ts or a view's id. */
export interface Place {
  readonly target: string;
  readonly userId: string;
  readonly blockId: string;
  readonly actionId: string;
}

function keyOf({ target, userId, blockId, actionId }: Place): string {
  return JSON.stringify([target, userId, blockId, actionId]);
}
