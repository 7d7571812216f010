import type { ErrorOutcome } from './outcome.ts';
import type { ErrorStyle } from './variant.ts';

const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
  423: 'locked',
  429: 'too_many_requests',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

/** The body of an error and its type, in one of the ways in which services write errors. */
export function errorBody(outcome: ErrorOutcome, style: ErrorStyle): { type: string; body: string } {
  const { status, message, details } = outcome;
  const code = codes[status] ?? 'error';
  const json = (value: unknown): { type: string; body: string } => ({
    type: 'application/json',
    body: JSON.stringify(value),
  });
  switch (style) {
    case 'object':
      return json({ error: { code, message, ...(details === undefined ? {} : { details }) } });
    case 'string':
      return json({ error: message });
    case 'list':
      return json({ errors: [{ code, message }] });
    case 'flat':
      return json({ id: code, message });
    case 'problem':
      return {
        ...json({ type: 'about:blank', title: message, status, detail: message, ...details }),
        type: 'application/problem+json',
      };
    case 'html':
      return { type: 'text/html', body: `<html><h1>${status}</h1><p>nginx</p></html>` };
    case 'nothing':
      return { type: 'text/plain', body: '' };
  }
}
