import type { Service } from './service.ts';

/** A service under the name of the account that it is. */
interface NamedService {
  readonly name: string;
  readonly service: Service;
}

/**
 * The services of two accounts as one, for what is done and seen behind the bot's back: each instance with its account before
 * its name, as people type it. The tour and a fault of one call are about the first account.
 */
export function bothServices(first: NamedService, second: NamedService): Service {
  const both = [first, second];
  const named = <Part>(parts: (service: Service) => readonly Part[]): readonly (readonly [string, Part])[] =>
    both.flatMap(({ name, service }) => parts(service).map((part) => [name, part] as const));
  /** The account that the words begin with, and the rest of them. Throws a sentence without one. */
  const split = (words: string): readonly [Service, string] => {
    const meant = both.find(({ name }) => words.startsWith(`${name}:`));
    if (!meant) throw new Error(`Say which account, like ${first.name}:web-1.`);
    return [meant.service, words.slice(meant.name.length + 1)];
  };
  return {
    ...first.service,
    name: `Hosting (${first.name}, ${second.name})`,
    hurry: (ms) => both.forEach(({ service }) => service.hurry(ms)),
    instances: () =>
      named((service) => service.instances()).map(([name, one]) => ({
        ...one,
        id: `${name}:${one.id}`,
        name: `${name}:${one.name}`,
      })),
    money: () => both.map(({ name, service }) => `${name} ${service.money()}`).join(', '),
    writes: () =>
      named((service) => service.writes())
        .map(([name, call]) => ({ ...call, path: `${name}:${call.path}` }))
        .toSorted((one, other) => one.at - other.at),
    reads: () => first.service.reads() + second.service.reads(),
    cast: () => {
      const { ordinary, deleted, stubborn } = first.service.cast();
      const of = (name: string): string => `${first.name}:${name}`;
      return {
        ordinary: ordinary.map(of),
        deleted: of(deleted),
        ...(stubborn === undefined ? {} : { stubborn: of(stubborn) }),
      };
    },
    setApi: async (state) => void (await Promise.all(both.map(({ service }) => service.setApi(state)))),
    setLarge: (isLarge) => both.forEach(({ service }) => service.setLarge(isLarge)),
    chargeDay: () => both.forEach(({ service }) => service.chargeDay()),
    watch: (tell) => {
      const ends = both.map(({ service }) => service.watch(tell));
      return () => ends.forEach((end) => end());
    },
    set: (words, state) => {
      const [service, instance] = split(words);
      service.set(instance, state);
    },
    setLock: (words, isLocked) => {
      const [service, instance] = split(words);
      service.setLock(instance, isLocked);
    },
  };
}
