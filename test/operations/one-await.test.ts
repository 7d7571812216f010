import { expect, it } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { STRIKES } from '../support/failpoints.ts';
import { strike } from '../support/struck.ts';

/** The await after which nobody can tell what happened; every other one is struck in `npm run test:chaos`. */
const SENDS = {
  'instances.restart': 'hosting.powerInstance 1',
  'instances.delete': 'hosting.deleteInstance 1',
};

it.concurrent.each(
  Object.entries(SENDS).flatMap(([kind, point]) => STRIKES.map((way) => ({ kind, point, way }))),
)(
  '$kind, struck by "$way" as its call leaves, is asked at most once and told once',
  async ({ kind, point, way }) => {
    const faulted = KINDS.find((one) => one.kind === kind);
    if (!faulted) throw new Error(`no kind ${kind}`);
    expect(await strike({ kind: faulted, at: { point, strike: way } })).toMatchObject({
      isStruck: true,
      faults: [],
    });
  },
);
