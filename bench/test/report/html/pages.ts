import type { RunRecord } from '../../../src/record/record.ts';
import type { Document } from '../../../src/report/document.ts';
import { runPage } from '../../../src/report/run-report.ts';
import { suiteOf } from '../../../src/suites/index.ts';
import { summaryOf } from '../../support/summaries.ts';

export function pageOf(record: RunRecord): Document {
  const summary = summaryOf(record);
  return runPage(summary, suiteOf(record).show(summary, { details: true }));
}

export const HOSTILE = {
  script: '<script>document.title = "taken"</script>',
  image: '"><img src=x onerror="document.title = \'taken\'">',
  style: '</style><style>body { display: none }</style>',
  long: 'x'.repeat(10_000),
  rightToLeft: '\u202Eקוד\u202C <b>bold</b>',
};

/** The same record, with hostile texts wherever somebody else writes one. */
export function hostile(record: RunRecord): RunRecord {
  const { script, image, style, long, rightToLeft } = HOSTILE;
  const labels = [script, image, long, rightToLeft, style];
  return {
    ...record,
    targets: record.targets.map((target, at) => ({ ...target, label: labels[at] ?? script })),
    machine: { ...record.machine, cpuModel: script, kernel: image },
    command: ['frameworks', '--targets', `'${script}'`],
    failures: record.failures.map((failure) => {
      return { ...failure, message: script, logTail: [image, style, long, rightToLeft] };
    }),
  };
}
