import type { RunCommand } from '../request/options.ts';
import { RUN_OPTION_NAMES, SUITE_COMMANDS } from '../suites/index.ts';
import type { Kind } from './kind.ts';
import { measureCommand } from './measure.ts';
import { METHODS_USUAL, methods } from './methods.ts';
import { price } from './price.ts';
import { run } from './run.ts';

/** The commands that measure: a suite each, or a study of the harness itself. */
export const RUN_COMMANDS: readonly RunCommand<Kind>[] = [
  ...SUITE_COMMANDS.map(
    ({ kindOf, ...command }): RunCommand<Kind> => ({
      ...command,
      kindOf: (given) => {
        const suite = kindOf(given);
        return { ...suite, perform: (request, io) => measureCommand(suite, request, io) };
      },
    }),
  ),
  {
    name: 'run',
    description: 'measures servers of yours: commands, folders, or addresses',
    options: RUN_OPTION_NAMES,
    packages: null,
    takesServers: true,
    usual: { connections: 'as many as they take', pipelining: 'as many as they take' },
    kindOf: () => run,
  },
  {
    name: 'price',
    description: 'measures what the harness itself adds to the cost of a server',
    options: ['seed', 'out', 'quick', 'json', 'plain'],
    packages: null,
    takesServers: false,
    usual: {},
    kindOf: () => price,
  },
  {
    name: 'methods',
    description: 'compares the usual way with slices: how far apart repeats of each come out',
    options: ['repeats', 'seconds', 'seed', 'out', 'quick', 'json', 'plain'],
    packages: null,
    takesServers: false,
    usual: METHODS_USUAL,
    kindOf: () => methods,
  },
];
