import type { Access } from '../policy/access.ts';
import { NoRight } from '../policy/no-access.ts';
import type { Decision } from '../policy/decide.ts';
import { adminsOf, isOfChannel, whoCanHelp } from '../policy/messages.ts';
import { mayKnowFilters } from '../policy/narrow.ts';
import { isChange, type Permission } from '../policy/permissions.ts';
import { Refusal } from '../refusal.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { type Actor, isOwn } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Favorite } from './favorites.ts';

type May = (instance: Pick<Instance, 'id' | 'name'>) => boolean;

/** The instances of the service, as far as somebody looks at them. */
export type Instances = Pick<HostingService, 'listInstances' | 'findInstance'>;

/** What a person may know of. */
export interface Sight {
  readonly maySee: May;
  /** Whether that is every instance. */
  readonly ofAll: Decision;
  /** Asked only where a filter is about add-ons. */
  readonly maySeeAddons: () => Promise<May>;
  /** Whether a favorite tells them no name: it is their own, or names only what is theirs to see. */
  readonly mayKnow: (favorite: Pick<Favorite, 'words' | 'savedBy'>) => boolean;
}

/** What a person may know of in a channel. `doing`: what they may do that to is theirs to see as well. */
export async function sightOf(
  access: Pick<Access, 'check' | 'which' | 'meets' | 'decisions'>,
  actor: Actor,
  channelId: string | undefined,
  doing?: { readonly permission: Permission; readonly route: string; readonly operationId: string },
): Promise<Sight> {
  const [ofAll, maySee, decide, isMine] = await Promise.all([
    access.check(actor, 'instances:read', 'all', { channelId }),
    access.which(actor, 'instances:read', channelId),
    doing && access.decisions(actor, doing.permission, { ...doing, channelId }),
    access.meets(actor, 'instances:read', channelId),
  ]);
  const mayDo: May = (instance) => {
    const decision = decide?.(instance);
    return decision !== undefined && (decision.allowed || decision.reason === 'frozen');
  };
  return {
    maySee: (instance) => maySee(instance) || mayDo(instance),
    ofAll,
    maySeeAddons: () => access.which(actor, 'addons:read', channelId),
    mayKnow: ({ words, savedBy }) => isOwn(actor, savedBy) || mayKnowFilters(words, isMine),
  };
}

/** The service as if it had only the instances that somebody may see: what isn't theirs reads like what there is none of. */
export function asSeen(hosting: Instances, { maySee, ofAll }: Pick<Sight, 'maySee' | 'ofAll'>): Instances {
  if (ofAll.allowed) return hosting;
  return {
    listInstances: async (options) => {
      const list = await hosting.listInstances(options);
      return { ...list, instances: list.instances.filter(maySee) };
    },
    findInstance: async (id, options) => {
      const instance = await hosting.findInstance(id, options);
      return instance && maySee(instance) ? instance : undefined;
    },
  };
}

const NONE: ReadonlySet<string> = new Set(['no-such-name', 'no-such-instance', 'gone']);

/**
 * What `finding` finds. Where it finds none, somebody who may see only some instances reads that they lack the right: the same
 * words, whether an instance exists that isn't theirs or not. `typed`: what names it, where words do.
 */
export async function amongTheirs<Found>(
  access: Pick<Access, 'policy'>,
  { ofAll }: Pick<Sight, 'ofAll'>,
  permission: Permission,
  typed: string,
  finding: Promise<Found>,
): Promise<Found> {
  try {
    return await finding;
  } catch (error) {
    if (ofAll.allowed || !(error instanceof Refusal) || !NONE.has(error.code)) throw error;
    const policy = await access.policy();
    const { answer } = error;
    const near = answer.bullets ? say` Did you mean one of these?` : say``;
    const done = isChange(permission) ? ', so nothing was done' : '';
    if (ofAll.reason === 'agent without it') {
      const why = say`This agent is for some instances alone, and none of them is called "${typed}"${done}.${near}`;
      throw new Refusal('no-right', { ...answer, lines: [why] });
    }
    if (isOfChannel(ofAll.reason)) {
      const which = typed === '' ? say`that instance` : say`any instance "${typed}"`;
      const why = say`The policy doesn't let anyone see ${which} from this channel${done}.${near} Ask in another one.`;
      throw new Refusal('no-right', { ...answer, lines: [why] });
    }
    const why =
      typed === ''
        ? say`Your role doesn't cover that instance, or there is none any more${done}.`
        : say`Your role covers no instance "${typed}"${done}.`;
    const words = {
      ...answer,
      lines: [[...why, ...near, ...whoCanHelp(adminsOf(policy), policy.rolesFile)]],
    };
    throw isChange(permission) ? new NoRight(words, permission, undefined) : new Refusal('no-right', words);
  }
}
