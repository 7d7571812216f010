import { expect, test } from 'vitest';
import { clientOf, faultOf, openServer } from './calling.ts';

test('a page past the last one that is answered with 404 ends the list of transactions', async () => {
  const { url } = await openServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{}');
  });
  const hosting = clientOf(url);
  expect(await hosting.listTransactions(2, 100)).toEqual({ transactions: [], hasMore: false });
  expect((await faultOf(hosting.listTransactions(1, 100))).status).toBe(404);
  const at = { path: '/api/v1/billing/transactions?cursor=old' };
  expect((await faultOf(hosting.listTransactions(2, 100, { at }))).status).toBe(404);
});
