import { SERVICES } from '../../services/index.ts';
import type { ServiceState } from '../../summary/servers.ts';
import type { Section } from '../document.ts';
import { list, number } from '../format.ts';
import { paragraph, section } from '../section.ts';

/** The version, cores and idle CPU use of each service; what they take per request is in the other tables. */
export function servicesSection(services: readonly ServiceState[]): Section {
  return section('Services', [paragraph([...services.map(stateText), READING].join(' '))]);
}

function stateText({ name, versions, cores, idleNsPerS }: ServiceState): string {
  const label = [SERVICES[name].label, ...(versions.length === 0 ? [] : [versions.join(', ')])];
  const where = cores === null ? 'all cores' : `${coresText(cores)} with the servers`;
  const idle =
    idleNsPerS === null ? '' : `; idle, it used ${number(idleNsPerS / 1e6)} ms of CPU a second`;
  return `${label.join(' ')} shares ${where}${idle}.`;
}

function coresText(cores: number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${list(cores.map(String))}`;
}

const READING =
  'One instance of each serves all servers of a launch that need it; its idle CPU time is subtracted.';
