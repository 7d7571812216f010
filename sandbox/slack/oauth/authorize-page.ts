import { ORGANIZATION } from '../../people.ts';
import type { ApiAnswer } from '../api/faults.ts';
import type { World } from '../world.ts';
import type { Installs } from './installs.ts';

/** Who says yes when nobody is named. */
const SOMEBODY = 'U0ADA000001';

/**
 * The page on which somebody chooses a workspace for the app, or with `answer=T…` or `answer=deny` in the address, where
 * Slack sends their browser then.
 */
export function authorizePage({ installs }: World, address: URL): ApiAnswer {
  const answer = address.searchParams.get('answer');
  if (address.searchParams.get('client_id') !== installs.setup.clientId)
    return page(400, '<h1>Something went wrong</h1><p>Invalid client_id parameter</p>');
  if (answer !== null) return redirect(answerUrl(installs, address.href, answer));
  const links = [...installs.teams, ORGANIZATION].map(({ id, name }) =>
    linkTo(address, id, `Allow in ${name}`),
  );
  return page(200, `<h1>Install</h1>${[...links, linkTo(address, 'deny', 'Cancel')].join('')}`);
}

/** Where Slack sends a browser that was on this page once its person has answered. */
export function answerUrl(installs: Installs, authorizeUrl: string, answer: string, by = SOMEBODY): string {
  const asked = new URL(authorizeUrl).searchParams;
  const redirectUri = asked.get('redirect_uri') ?? '';
  const back = new URL(redirectUri);
  back.searchParams.set('state', asked.get('state') ?? '');
  if (answer === 'deny') back.searchParams.set('error', 'access_denied');
  else {
    const scopes = (asked.get('scope') ?? '').split(',').filter((scope) => scope !== '');
    back.searchParams.set('code', installs.consent({ teamId: answer, userId: by, scopes, redirectUri }));
  }
  return back.href;
}

function linkTo(address: URL, answer: string, label: string): string {
  const to = new URL(address);
  to.searchParams.set('answer', answer);
  return `<p><a href="${to.search.replaceAll('&', '&amp;')}">${label}</a></p>`;
}

function page(status: number, text: string): ApiAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: {}, text };
}

function redirect(location: string): ApiAnswer {
  return { status: 302, headers: { location }, body: {}, text: '' };
}
