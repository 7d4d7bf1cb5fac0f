import type { Machine } from '../system/machine.ts';
import { plural } from './format.ts';

/** The machine in a line. */
export function machineText(machine: Machine): string {
  const { cpuModel, cores, hypervisor, governor, kernel, versions } = machine;
  const parts = [
    `${cpuModel}, ${plural(cores.length, 'core')}`,
    ...(hypervisor ? [`under ${hypervisor}`] : []),
    ...(governor ? [`governor ${governor}`] : []),
    `${machine.platform} ${kernel}`,
    `Node ${versions.node}`,
  ];
  return `${parts.join(', ')}.`;
}
