/** What METHOD says that sampling costs the collector, and all others, is what the saved run says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { responsesOf, slicesOf, sum } from '../../src/figures/figures.ts';
import { readRecord } from '../../src/record/record.ts';
import { ROOT } from './documents.ts';

const record = readRecord(join(ROOT, 'docs/runs/truth/where.json.gz'));

/** What the collector takes of a request where much survives, by its own clock, and what all others take, ns. */
function timesOf(arrangement: 'standard' | 'profiled'): { collector: number; others: number } {
  const cell = record.plan.cells.find((each) => {
    return each.target === 'in-collector' && each.arrangement === arrangement;
  });
  if (cell === undefined) throw new Error('the truth has a server whose garbage survives');
  const slices = slicesOf(record, cell);
  const requests = sum(slices, responsesOf);
  const isOf = (each: { cell: string }) => each.cell === cell.id;
  const collectorNs = sum(record.collected.filter(isOf), ({ ns }) => ns);
  const serverNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
  return { collector: collectorNs / requests, others: (serverNs - collectorNs) / requests };
}

test('what sampling costs the collector is told as it was', () => {
  const [plain, sampled] = [timesOf('standard'), timesOf('profiled')];
  const longer = (who: 'collector' | 'others') => {
    return `${Math.round((sampled[who] / plain[who] - 1) * 100)} %`;
  };
  const text = readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    `its collections took ${longer('collector')} longer, and all else ${longer('others')}`,
  );
});
