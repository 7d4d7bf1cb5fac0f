import { SERVICES } from '../../services/index.ts';
import type { ServiceState } from '../../summary/services.ts';
import type { Section } from '../document.ts';
import { list, number } from '../format.ts';
import { paragraph, section } from '../section.ts';

/** What the services of a run are; what they took for a request stands beside each server's figures. */
export function servicesSection(services: readonly ServiceState[]): Section {
  return section('Services', [paragraph([...services.map(stateSentence), READING].join(' '))]);
}

function stateSentence({ name, versions, cores, idleNsPerS }: ServiceState): string {
  const { label } = SERVICES[name];
  const version = versions.length === 0 ? '' : ` ${versions.join(', ')}`;
  const where = cores === null ? 'shares all cores' : `shares ${coresText(cores)} with the servers`;
  const idle =
    idleNsPerS === null ? '' : ` Idle it used ${number(idleNsPerS / 1e6)} ms of CPU in a second.`;
  return `${label}${version} ${where}.${idle}`;
}

function coresText(cores: number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${list(cores.map(String))}`;
}

const READING =
  'One instance of each serves all servers of a launch that need it; what it uses idle is taken off.';
