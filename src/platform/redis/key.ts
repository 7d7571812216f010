/** In braces, so that a cluster keeps all keys of the bot on one node, and a script may touch several. */
const PREFIX = '{lamplighter}';
const PREFIX_TO_MATCH = PREFIX.replaceAll(/[{}]/g, String.raw`\$&`);

/** The one way to name a key in Redis: what it is first, then whose. Each store keeps its own names beside it. */
export function key(...parts: readonly [string, ...string[]]): string {
  return [PREFIX, ...parts].join(':');
}

/** What is put before each key of one workspace or account among several, by its id or name. */
export function scopeOf(name: string): string {
  return `${key(`@${name}`)}:`;
}

/** Any number of scopes, the one inside the other. */
const SCOPE = new RegExp(`^(?:${PREFIX_TO_MATCH}:@[^:]+:)*(?=${PREFIX_TO_MATCH}:)`);

/** The scope of a key, empty where it is nobody's own; undefined where the key is not of the bot. Pure. */
export function scopeIn(name: string): string | undefined {
  return SCOPE.exec(name)?.[0];
}

/** The names in a scope, outermost first. Pure. */
export function namesIn(scope: string): readonly string[] {
  return [...scope.matchAll(/@([^:]+):/g)].map(([, name = '']) => name);
}
