const PREFIX = 'force-';

/** The verb that does the same without waiting for the system of an instance: "force-stop". */
export function forced<Verb extends string>(verb: Verb): `force-${Verb}` {
  return `${PREFIX}${verb}`;
}

/** The verb that another is the forced form of; itself where it is none. What holds for "stop" holds for "force-stop". */
export function unforced(verb: string): string {
  return verb.startsWith(PREFIX) ? verb.slice(PREFIX.length) : verb;
}
