import {
  type Adapter,
  type Examples,
  type Instance,
  mustBeAbout,
  pagedByToken,
  type Power,
  readAs,
  readRecord,
  type Status,
  wordIn,
  type Write,
  type WriteAnswer,
  z,
} from 'lamplighter/adapter';

/** My Cloud's machines, by its published API v1. Replace each part by what your service's documentation says. */

const machineWire = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  created_at: z.string().nullish(),
});
const pageWire = z.object({ machines: z.array(z.unknown()), next: z.string().nullish(), total: z.number() });
const taskWire = z.object({ task: z.object({ id: z.string(), state: z.string(), machine_id: z.string() }) });
const errorWire = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const STATUSES: Readonly<Record<string, Status>> = { on: 'running', off: 'stopped', booting: 'starting' };
const ACTIONS: Readonly<Record<Power, string>> = { start: 'start', stop: 'stop', restart: 'restart' };

function instanceOf(record: unknown): Instance {
  const { id, name, state, created_at } = readRecord(machineWire, record, ['id', 'name', 'state']);
  return {
    id,
    name,
    // A word that isn't known is never taken for one that is.
    status: wordIn(STATUSES, state) ?? 'unknown',
    statusWord: state,
    can: {},
    ...(created_at ? { createdAt: created_at } : {}),
  };
}

const ask = (id: string, method: Write<unknown>['method'], path: string): Write<WriteAnswer> => ({
  method,
  path,
  decode: ({ body }) => {
    const { task } = readAs(taskWire, body);
    mustBeAbout(id, task.machine_id);
    return { actionId: task.id };
  },
});

export const adapter: Adapter = {
  version: 1,
  name: 'My Cloud',
  origin: 'https://api.my-cloud.example',
  prefix: '/v1',
  limit: { requests: 60, seconds: 60 },
  showsWithinMs: 30_000,
  isError: (body) => errorWire.safeParse(body).success,
  // One status says two things here; the code tells which.
  faultOf: ({ body }) => (errorWire.safeParse(body).data?.error.code === 'task_running' ? 'busy' : undefined),
  deletion: {
    takes: ['its machine, with its disk'],
    leaves: 'Its addresses stay and still cost',
    inShort: 'Its disk goes with it, permanently.',
  },
  instances: {
    list: {
      path: '/machines?limit=100',
      items: (body) => readAs(pageWire, body).machines,
      item: instanceOf,
      paging: (page) => {
        const { next, total } = readAs(pageWire, page.answer.body);
        return pagedByToken(page, 'cursor', next, total);
      },
    },
    one: (id) => ({ path: `/machines/${id}`, decode: ({ body }) => instanceOf(body) }),
    power: (id, power) => ask(id, 'POST', `/machines/${id}/${ACTIONS[power]}`),
    remove: (id) => ask(id, 'DELETE', `/machines/${id}`),
    action: (taskId) => ({
      path: `/tasks/${taskId}`,
      decode: ({ body }) => {
        const { state } = readAs(taskWire, body).task;
        return { state: state === 'ok' ? 'done' : state === 'failed' ? 'failed' : 'running' };
      },
    }),
  },
};

const web = { id: 'm-1', name: 'web-1', state: 'on', created_at: '2026-01-05T10:00:00Z' };
const db = { id: 'm-2', name: 'db-1', state: 'off', created_at: '2026-01-06T10:00:00Z' };
const task = (state: string) => ({ task: { id: 't-1', state, machine_id: 'm-1' } });
const no = (code: string, message: string) => ({ error: { code, message } });

/** What the service answers, as its documentation shows it, and what each answer means. */
export const examples: Examples = {
  list: [
    {
      body: { machines: [web], next: 'bmV4dA', total: 2 },
      means: [{ id: 'm-1', name: 'web-1', status: 'running', createdAt: '2026-01-05T10:00:00Z' }],
    },
    {
      body: { machines: [db], next: null, total: 2 },
      means: [{ id: 'm-2', name: 'db-1', status: 'stopped' }],
    },
  ],
  one: { body: web, means: { id: 'm-1', name: 'web-1', status: 'running' } },
  power: { status: 202, body: task('running'), means: { actionId: 't-1' } },
  remove: { status: 202, body: task('running'), means: { actionId: 't-1' } },
  action: {
    id: 't-1',
    running: { body: task('running') },
    done: { body: task('ok') },
    failed: { body: task('failed') },
  },
  refusals: [
    {
      means: 'unauthorized',
      answer: { status: 401, body: no('bad_key', 'This key was revoked on Monday') },
      says: 'This key was revoked on Monday',
    },
    { means: 'not-found', answer: { status: 404, body: no('not_found', 'There is no such machine') } },
    { means: 'wrong-state', answer: { status: 409, body: no('is_off', 'The machine is off') } },
    { means: 'busy', answer: { status: 409, body: no('task_running', 'Another task is under way') } },
    { means: 'rate-limited', answer: { status: 429, body: no('slow_down', 'Too many requests') } },
  ],
};
