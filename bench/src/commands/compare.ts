import { UserError } from '../base/errors.ts';
import { readJson } from '../base/files.ts';
import { absolute } from '../base/places.ts';
import { recordSchema } from '../record/record.ts';
import { compareDocument } from '../report/compare-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { compareRecords, differencesOf } from '../summary/records.ts';
import { summarize } from '../summary/summary.ts';
import type { OtherCommand } from './command.ts';
import { WRITERS, writeOut } from './report.ts';

export const compare: OtherCommand = {
  name: 'compare',
  description: 'compares what requests cost in two saved runs; measures nothing',
  options: ['force', 'format', 'reportOut'],
  operands: ['<files...>', 'two records that runs have saved, the older one first'],
  async perform({ given, words, refuse }, { stdout }) {
    const { format = 'terminal', out, force = false } = given;
    const paths = words.map(absolute);
    const [old, fresh, ...others] = paths.map((path) => readJson(path, [recordSchema]));
    if (old === undefined || fresh === undefined || others.length > 0) {
      return refuse('name two records, the older one first');
    }
    if (format === 'csv' || format === 'json') {
      return refuse(`--format ${format} cannot be used here: nothing new was measured`);
    }
    const differences = differencesOf(old, fresh);
    if (differences.length > 0 && !force) {
      const message = ['these two were not measured alike:', ...differences].join('\n  ');
      throw new UserError(message, 'Measure both in one run with ab, or add --force.');
    }
    const summaries = [summarize(old), summarize(fresh)] as const;
    const comparison = compareRecords(...summaries);
    if (comparison === null) {
      throw new UserError('these two share no target', 'Name records of the same targets.');
    }
    const document = compareDocument(...summaries, comparison, differences);
    await writeOut(WRITERS[format]([document], lookOf(stdout)), 'comparison', stdout, out);
    return 0;
  },
};
