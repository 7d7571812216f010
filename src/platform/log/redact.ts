const HIDDEN = '[hidden]';

/** What secrets of Slack, of hosting services and of agents look like, wherever they come from. */
const SHAPES =
  /\bxox[a-z]-[A-Za-z0-9-]{8,}|\bxapp-[A-Za-z0-9-]{8,}|\boc_live_[A-Za-z0-9_-]{4,}|\bdo[por]_v1_[A-Za-z0-9]{4,}|\bucat_[A-Za-z0-9]{4,}|\blamplighter_T[A-Z0-9]{2,63}\.[a-z0-9-]{0,20}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{4,}|(?<=Bearer )[^\s"\\]+/g;

/** A text without anything that looks like a secret. Pure. */
export function withoutSecrets(text: string): string {
  return text.replace(SHAPES, HIDDEN);
}

/**
 * Takes known secrets, in plain and as JSON and URLs write them, and anything of their shape out of a line.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .flatMap((secret) => {
      const once = JSON.stringify(secret).slice(1, -1);
      const form = new URLSearchParams({ '': secret }).toString().slice(1);
      return [secret, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(secret), form];
    })
    .filter((form) => form.length >= 4);
  const known = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  return (line) => {
    let clean = line;
    for (const secret of known) clean = clean.replaceAll(secret, HIDDEN);
    return withoutSecrets(clean);
  };
}
