import type { Machine } from '../system/machine.ts';
import { megabytes, plural } from './format.ts';

/** The machine in a line; its memory has room on a page. */
export function machineText(machine: Machine, { hasMemory = false } = {}): string {
  const { cpuModel, cores, hypervisor, governor, kernel, versions } = machine;
  const parts = [
    `${cpuModel}, ${plural(cores.length, 'core')}`,
    ...(hasMemory ? [`${megabytes(machine.memoryTotalBytes)} MB`] : []),
    ...(hypervisor ? [`under ${hypervisor}`] : []),
    ...(governor ? [`governor ${governor}`] : []),
    `${machine.platform} ${kernel}`,
    `Node ${versions.node}`,
  ];
  return `${parts.join(', ')}.`;
}
