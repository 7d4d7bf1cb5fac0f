import type { Figures } from '../../figures/figures.ts';
import type { Latency } from '../../figures/latency.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import type { Text } from '../document.ts';
import { latencyTime, NONE } from '../format.ts';
import type { Column } from '../tabulate.ts';

/** How to make columns about the cells of the run that the rows of a table hold. */
export interface CellColumns<Row> {
  /** A figure of what was measured. */
  figure: (group: string, head: string, text: (figures: Figures, row: Row) => Text) => Column<Row>;
  /** As `figure`; of a cell that was not measured it says what became of it. */
  leading: CellColumns<Row>['figure'];
  latency: (head: string, text: (latency: Latency) => Text) => Column<Row>;
  /** p50, p97.5, p99 and max, with a head for each of these names. */
  quantiles: (head: (name: string) => string) => Column<Row>[];
}

/** Columns for rows that hold these cells. */
export function columnsOfCells<Row>(cellOf: (row: Row) => CellSummary): CellColumns<Row> {
  const figureOr = (unmeasured: (state: string) => string): CellColumns<Row>['figure'] => {
    return (group, head, text) => ({
      group,
      head,
      cell: (row) => {
        const { outcome } = cellOf(row);
        return outcome.state === 'measured'
          ? text(outcome.figures, row)
          : unmeasured(outcome.state);
      },
    });
  };
  const figure = figureOr(() => NONE);
  const latency: CellColumns<Row>['latency'] = (head, text) => {
    return figure('latency', head, ({ latency: times }) => (times ? text(times) : NONE));
  };
  return {
    figure,
    leading: figureOr((state) => state),
    latency,
    quantiles: (head) => [
      latency(head('p50'), ({ p50 }) => latencyTime(p50)),
      latency(head('p97.5'), ({ p97_5 }) => latencyTime(p97_5)),
      latency(head('p99'), ({ p99 }) => latencyTime(p99)),
      latency(head('max'), ({ max }) => latencyTime(max)),
    ],
  };
}
