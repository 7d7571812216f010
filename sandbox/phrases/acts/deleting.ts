import { type Act, happens, until } from '../scenario.ts';

const heading = 'Deleting an instance';

const asked: Act = {
  heading,
  env: { LAMPLIGHTER_PROTECTED: 'db-*' },
  scenarios: [
    {
      title: 'The name is typed wrong, then right, and somebody cancels it in time',
      who: 'admin',
      steps: [
        '/instances delete web-1 --because "moved to web-3"',
        { line: ':type web-2', isAnsweredInModal: true },
        until('M, asked by', ':type web-1'),
        ':as bob',
        until('will be deleted in', '/instances restart web-1'),
        until('will be deleted in', '/lamplighter operations'),
        ':press Cancel',
      ],
    },
    { title: 'The modal is closed', who: 'admin', steps: ['/instances delete web-2', ':close'] },
    {
      title: 'A dry run',
      who: 'admin',
      steps: ['/instances delete db-1 --dry-run', '/instances delete web-1 --dry-run'],
    },
    { title: 'It is protected', who: 'admin', steps: ['/instances delete db-1'] },
    { title: 'No instance is named', who: 'admin', steps: ['/instances delete'] },
    { title: 'A part of a name is no name', who: 'admin', steps: ['/instances delete web'] },
    { title: 'A mention opens no modal', who: 'admin', steps: ['@lamplighter delete web-2'] },
    { title: 'The person may not', steps: ['/instances delete web-2'] },
  ],
};

const ended: Act = {
  heading,
  timings: { cancelWindowMs: 1_000, patienceMs: 2_500 },
  scenarios: [
    { title: 'It is deleted', who: 'admin', steps: ['/instances delete web-2', ':type web-2'] },
    {
      title: 'The service refuses',
      who: 'admin',
      steps: ['/instances delete subscribed', ':type subscribed'],
    },
    {
      title: 'It is gone when its time comes',
      who: 'admin',
      steps: [
        '/instances delete staging',
        until('M, asked by', ':type staging'),
        happens('Somebody deletes it in the dashboard.', ({ hosting }) => hosting.removeInstance(104)),
      ],
    },
    {
      title: 'The answer is lost, and the deletion is seen',
      who: 'admin',
      steps: ['/instances delete loses-answers', ':type loses-answers'],
    },
  ],
};
const unknown: Act = {
  heading,
  timings: { cancelWindowMs: 200 },
  scenarios: [
    {
      title: 'The deletion never arrives',
      who: 'admin',
      steps: ['/instances delete loses-requests', ':type loses-requests'],
    },
    {
      title: 'The service says 503 each time',
      who: 'admin',
      steps: ['/instances delete always-503', ':type always-503'],
    },
    {
      title: 'Somebody creates it again at once',
      who: 'admin',
      steps: ['/instances delete comes-back', ':type comes-back'],
    },
  ],
};

export const DELETING: readonly Act[] = [asked, ended, unknown];
