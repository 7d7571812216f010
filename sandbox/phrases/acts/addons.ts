import { customer, instance } from '../../world.ts';
import { type Act, until } from '../scenario.ts';

const heading = 'Add-ons';

const lists: Act = {
  heading,
  customer: 'outfitter',
  scenarios: [
    { title: 'All of them', who: 'admin', steps: ['/addons'] },
    { title: 'Those of one instance', steps: ['/addons tent'] },
    { title: 'Which one to add', who: 'admin', steps: ['/addons add', '/addons add tent'] },
    { title: 'Which one to remove', who: 'admin', steps: ['/addons remove'] },
    { title: 'The instance does not exist', who: 'admin', steps: ['/addons add backup zeppelin'] },
    {
      title: 'A dry run',
      who: 'admin',
      steps: ['/addons add backup stove --dry-run', '/addons remove llm tent --dry-run'],
    },
    { title: 'It is there already', who: 'admin', steps: ['/addons add backup tent'] },
    { title: 'It is not there', who: 'admin', steps: ['/addons remove backup stove'] },
    { title: 'It is added', who: 'admin', steps: ['/addons add backup stove', ':press Add it'] },
    { title: 'Nothing says what it costs', who: 'admin', steps: ['/addons add telescope stove'] },
    {
      title: 'The service does not sell it',
      who: 'admin',
      steps: ['/addons add telescope canoe', ':press Add it'],
    },
    {
      title: 'The type is typed wrong, then right, and somebody cancels it in time',
      who: 'admin',
      steps: [
        '/addons remove llm tent',
        { line: ':type LLM', isAnsweredInModal: true },
        until('M, asked by', ':type llm'),
        ':as bob',
        until('will be removed in', '/addons tent'),
        ':press Cancel',
      ],
    },
    { title: 'The person may not', steps: ['/addons add backup lantern'] },
  ],
};
const removed: Act = {
  heading,
  timings: { cancelWindowMs: 200 },
  scenarios: [
    { title: 'It is removed', who: 'admin', steps: ['/addons remove llm web-1', ':type llm'] },
    { title: 'There is none to list', steps: ['/addons web-2'] },
    {
      title: 'The answer is lost, and the add-on is seen',
      who: 'admin',
      steps: ['/addons add backup loses-answers', ':press Add it'],
    },
    {
      title: 'The request never arrives',
      who: 'admin',
      steps: ['/addons add backup loses-requests', ':press Add it'],
    },
    {
      title: 'The service says 503',
      who: 'admin',
      steps: ['/addons add backup always-503', ':press Add it'],
    },
  ],
};
const twoOfAType: Act = {
  heading,
  hosting: {
    world: {
      customers: [
        customer('harbour', {
          instances: [instance(1, 'lone'), instance(2, 'bare')],
          addons: [
            { id: 11, type: 'storage', tier: 'small', instanceId: 1 },
            { id: 12, type: 'storage', tier: 'large', instanceId: 1 },
          ],
        }),
      ],
    },
  },
  scenarios: [
    {
      title: 'Two of one type are distinguished by id',
      who: 'admin',
      steps: ['/addons remove storage lone'],
    },
  ],
};
const none: Act = {
  heading,
  hosting: { world: { customers: [customer('harbour', { instances: [instance(1, 'lone')] })] } },
  scenarios: [
    { title: 'There are none anywhere', steps: ['/addons'] },
    { title: 'None is in use that could be offered', who: 'admin', steps: ['/addons add lone'] },
  ],
};
const notOffered: Act = {
  heading,
  hosting: { variant: { addons: 'absent' } },
  scenarios: [
    { title: 'The service offers no add-ons', steps: ['/addons'] },
    { title: 'The service offers no changes of add-ons', who: 'admin', steps: ['/addons add backup web-1'] },
  ],
};
const cut: Act = {
  heading,
  hosting: {
    world: {
      customers: [
        customer('harbour', {
          instances: [instance(1, 'one'), instance(2, 'two')],
          addons: Array.from({ length: 5 }, (_, index) => ({ id: index + 1, type: 'backup', instanceId: 1 })),
        }),
      ],
    },
    variant: { paging: { style: 'total alone', size: 3 } },
  },
  scenarios: [
    { title: 'The service gives only a part of the list', steps: ['/addons'] },
    {
      title: 'It may be among those that could not be read',
      who: 'admin',
      steps: ['/addons remove llm one'],
    },
    { title: 'It may be there already', who: 'admin', steps: ['/addons add llm one'] },
  ],
};

export const ADDONS: readonly Act[] = [lists, removed, twoOfAType, none, notOffered, cut];
