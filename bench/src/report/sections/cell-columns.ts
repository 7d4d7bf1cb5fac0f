import type { Figures } from '../../figures/figures.ts';
import type { ServiceFigures } from '../../figures/services.ts';
import type { CellSummary } from '../../summary/conditions.ts';
import { latencyTime, megabytes } from '../format.ts';
import { amount, type Cell, type Column } from '../tabulate.ts';

/** The figures of a cell; null where it was not measured. */
export function figuresIn({ outcome }: CellSummary): Figures | null {
  return outcome.state === 'measured' ? outcome.figures : null;
}

/** What services took for a cell; null where it was not measured, or needs none. */
export function servicesIn({ outcome }: CellSummary): ServiceFigures | null {
  return outcome.state === 'measured' ? outcome.services : null;
}

type TimeName = 'mean' | 'min' | 'p2_5' | 'p50' | 'p75' | 'p95' | 'p97_5' | 'p99' | 'max';
type FigureColumn<Row> = (
  group: string,
  head: string,
  of: (figures: Figures, row: Row) => Cell,
) => Column<Row>;

/** How to make columns about the cells of the run that the rows of a table hold. */
export interface CellColumns<Row> {
  /** A figure of what was measured. */
  figure: FigureColumn<Row>;
  /** As `figure`; of a cell that was not measured it says what became of it. */
  leading: FigureColumn<Row>;
  latency: (head: string, name: TimeName) => Column<Row>;
  /** In MB, where there is any. */
  memory: (group: string, head: string, whose: 'server' | 'manager') => Column<Row>;
}

/** Columns for rows that hold these cells. */
export function columnsOfCells<Row>(cellOf: (row: Row) => CellSummary): CellColumns<Row> {
  const figureOr = (unmeasured: (cell: CellSummary) => Cell): FigureColumn<Row> => {
    return (group, head, of) => {
      return amount(group, head, (row) => {
        const figures = figuresIn(cellOf(row));
        return figures ? of(figures, row) : unmeasured(cellOf(row));
      });
    };
  };
  const figure = figureOr(() => null);
  return {
    figure,
    leading: figureOr(({ outcome }) => outcome.state),
    latency: (head, name) => {
      return figure('latency', head, ({ latency }) => latency && latencyTime(latency[name]));
    },
    memory: (group, head, whose) => {
      return figure(group, head, ({ memory }) => megabytes(memory[whose] || null));
    },
  };
}
