import { resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { readJson } from '../base/json-file.ts';
import { standing } from '../base/places.ts';
import { recordSchema } from '../record/record.ts';
import { compareDocument } from '../report/compare-report.ts';
import { compareRecords, differencesOf } from '../summary/records.ts';
import { summarize } from '../summary/summary.ts';
import type { OtherCommand } from './command.ts';
import { documentsText, writeOut } from './report.ts';

/** Two saved runs side by side. */
export const compare: OtherCommand = {
  name: 'compare',
  description: 'compares what requests cost in two saved runs; measures nothing',
  options: ['force', 'format', 'reportOut'],
  operands: ['<files...>', 'two records that runs have saved, the older one first'],
  usual: { format: 'terminal', reportOut: 'stdout' },
  async perform({ given, words, refuse }, { stdout }) {
    const { format = 'terminal', out, force = false } = given;
    const [old, fresh, ...others] = words.map((file) =>
      readJson(resolve(standing(), file), [recordSchema]),
    );
    if (old === undefined || fresh === undefined || others.length > 0) {
      return refuse('name two records, the older one first');
    }
    if (format === 'csv' || format === 'json') {
      return refuse(`--format ${format} has no meaning here: nothing new was measured`);
    }
    const differences = differencesOf(old, fresh);
    if (differences.length > 0 && !force) {
      throw new UserError(
        ['these two were not measured alike:', ...differences].join('\n  '),
        'Measure both in one sitting with ab, or add --force, which stamps what it prints.',
      );
    }
    const summaries = [summarize(old), summarize(fresh)] as const;
    const comparison = compareRecords(...summaries);
    if (comparison === null) {
      throw new UserError('these two share no target', 'Name records of the same targets.');
    }
    const document = compareDocument(...summaries, comparison, differences);
    const text = documentsText([document], format, stdout);
    await writeOut(text, out, 'comparison', stdout);
    return 0;
  },
};
