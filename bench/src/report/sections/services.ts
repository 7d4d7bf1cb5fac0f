import { SERVICES } from '../../services/index.ts';
import type { ServiceRow, ServiceState, ServiceSummary } from '../../summary/services.ts';
import type { Section } from '../document.ts';
import { megabytes, memoryText, NONE, number, plusMinus } from '../format.ts';
import { loadWords, rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { serviceColumns } from './service-columns.ts';

/** What the services took for each cell, beside its server. */
export function servicesSection({ services, rows }: ServiceSummary): Section {
  const text = [...services.map(stateSentence), READING].join(' ');
  const tables = rows.length === 0 ? [] : [tableOf(NAME, columnsOf(rows), rows)];
  return section('What the services took', [...tables, paragraph(text)]);
}

const NAME = {
  head: 'target',
  cell: ({ summary, topology }: ServiceRow) => rowName(summary.target, topology),
};

function columnsOf(rows: ServiceRow[]): Column<ServiceRow>[] {
  const groups = { cpu: 'CPU', memory: 'memory' };
  const { cpu, memory } = serviceColumns(rows, ({ figures }) => figures, groups);
  return [
    { group: 'CPU', head: 'load', text: true, cell: ({ load }) => loadWords(load) },
    {
      group: 'CPU',
      head: 'server\nµs/request',
      cell: ({ summary: { outcome } }) => {
        return outcome.state === 'measured' ? plusMinus(outcome.figures.cpuPerRequest, 1000) : NONE;
      },
    },
    ...cpu,
    {
      group: 'memory',
      head: 'server\nMB',
      cell: ({ summary: { outcome } }) => {
        return outcome.state === 'measured' ? memoryText(outcome.figures.memory.server) : NONE;
      },
    },
    ...memory,
    {
      group: 'memory',
      head: 'together\nMB',
      cell: ({ figures }) => megabytes(figures.total.bytes),
    },
  ];
}

function stateSentence({ name, versions, cores, idleNsPerS }: ServiceState): string {
  const { label } = SERVICES[name];
  const version = versions.length === 0 ? '' : ` ${versions.join(', ')}`;
  const where = cores === null ? 'shares all cores' : `shares ${coresText(cores)} with the servers`;
  const idle =
    idleNsPerS === null ? '' : ` Idle it used ${number(idleNsPerS / 1e6)} ms of CPU in a second.`;
  return `${label}${version} ${where}.${idle}`;
}

const list = new Intl.ListFormat('en-GB');

function coresText(cores: number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${list.format(cores.map(String))}`;
}

const READING =
  'One instance of each serves all servers of a launch that need it; what it uses idle is taken off.';
