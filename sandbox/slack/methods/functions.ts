import { record } from '../json.ts';
import { textArg } from '../api/args.ts';
import type { Methods } from '../api/method.ts';
import { SlackNo } from '../api/refusal.ts';

/** How steps of workflows end: each once. */
export const functions: Methods = {
  'functions.completeSuccess': {
    run({ args, world }) {
      const id = textArg(args, 'function_execution_id') ?? '';
      if (Object.keys(record(args['outputs'])).length === 0) throw new SlackNo('parameter_validation_failed');
      world.executions.end(id, { outputs: record(args['outputs']) });
      return {};
    },
  },
  'functions.completeError': {
    run({ args, world }) {
      const error = textArg(args, 'error') ?? '';
      if (error === '') throw new SlackNo('invalid_arguments');
      world.executions.end(textArg(args, 'function_execution_id') ?? '', { error });
      return {};
    },
  },
};
