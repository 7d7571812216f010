import { createBareFeatures } from '../src/app/features.ts';

/** A shortcut of the bot, as its manifest declares it. */
export interface ShortcutOfBot {
  readonly name: string;
  /** In the menu of a message, or from anywhere. */
  readonly on: 'message' | 'global';
  readonly callbackId: string;
}

/** Every shortcut of the bot; test/manifest.long.test.ts holds the manifest to the same routes. */
export const SHORTCUTS: readonly ShortcutOfBot[] = createBareFeatures().flatMap(({ routes }) =>
  routes.flatMap(({ id, shortcut }) =>
    shortcut ? [{ name: shortcut.name, on: shortcut.on, callbackId: id }] : [],
  ),
);

/** The shortcut of that name, in any case. Throws a sentence that names those there are. */
export function getShortcut(name: string): ShortcutOfBot {
  const found = SHORTCUTS.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (found) return found;
  throw new Error(
    `There is no shortcut "${name}". There are ${SHORTCUTS.map((one) => one.name).join(', ')}.`,
  );
}
