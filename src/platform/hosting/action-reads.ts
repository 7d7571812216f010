import type { ServiceRead } from './adapter.ts';
import { building } from './unreadable.ts';
import { type Calls, checkId } from './calls.ts';
import { orNotFound } from './offered.ts';
import type { Action, HostingReads, IdentifiedAction } from './service.ts';

/** What became of writes: by the actions that answers named, and by the list of what was begun on an instance. */
export function createActionReads(
  calls: Calls,
): Pick<HostingReads, 'findAction' | 'findActions' | 'listBegun'> {
  const { action, begun } = calls.adapter.instances;
  const findAction: HostingReads['findAction'] = async (actionId, { priority = 'read' } = {}) => {
    const doing = `reading action ${actionId}`;
    return orNotFound(async () => {
      checkId(doing, actionId);
      return (
        action &&
        calls.read(
          doing,
          building(doing, () => action(actionId)),
          priority,
        )
      );
    });
  };
  return {
    findAction,
    findActions: createFindActions(calls, findAction),
    listBegun: async (instanceId, { priority = 'read' } = {}) => {
      const doing = `listing what was begun on instance ${instanceId}`;
      return orNotFound(async () => {
        checkId(doing, instanceId);
        return begun && calls.read(doing, withServedAt(building(doing, () => begun(instanceId))), priority);
      });
    },
  };
}

/** Several actions in as few calls as the service allows. `findAction`: how one alone is read. */
function createFindActions(
  calls: Calls,
  findAction: HostingReads['findAction'],
): HostingReads['findActions'] {
  const { actions } = calls.adapter.instances;
  return (actionIds, { priority = 'read' } = {}) => {
    const wanted = [...new Set(actionIds)];
    if (!actions || wanted.length < 2) return (actionId) => findAction(actionId, { priority });

    const readPart = async (part: readonly string[]): Promise<ReadonlyMap<string, IdentifiedAction>> => {
      const doing = `reading ${part.length} actions`;
      for (const id of part) checkId(doing, id);
      const found = await calls.read(
        doing,
        building(doing, () => actions.of(part)),
        priority,
      );
      return new Map(found.map((action) => [action.id, action]));
    };
    /** The call that each is part of, once it was begun. */
    const parts = new Map<number, ReturnType<typeof readPart>>();
    return async (actionId): Promise<Action | undefined> => {
      const part = Math.floor(wanted.indexOf(actionId) / actions.most);
      if (part < 0) return findAction(actionId, { priority });
      const reading =
        parts.get(part) ?? readPart(wanted.slice(part * actions.most, (part + 1) * actions.most));
      parts.set(part, reading);
      const found = (await reading).get(actionId);
      return found && { state: found.state, said: found.said };
    };
  };
}

/** The same read, which also says when it was answered by the service's own clock. */
function withServedAt<T extends object>(read: ServiceRead<T>): ServiceRead<T & { servedAt?: number }> {
  return {
    ...read,
    decode: (answer) => {
      const servedAt = Date.parse(answer.headers['date'] ?? '');
      return { ...read.decode(answer), ...(Number.isNaN(servedAt) ? {} : { servedAt }) };
    },
  };
}
