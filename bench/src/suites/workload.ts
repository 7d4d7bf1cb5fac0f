import { isPlain } from '../plan/topology.ts';
import type { Section } from '../report/document.ts';
import { claimSections } from '../report/sections/claims.ts';
import { runtimeSection } from '../report/sections/comparisons.ts';
import { levelSection, mainSection } from '../report/sections/levels.ts';
import { rateTables } from '../report/sections/rates.ts';
import { decompositionSections, layerSections } from '../report/sections/variants.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { summarizeRuntimes } from '../summary/comparisons.ts';
import { summarizeDecompositions } from '../summary/decomposition.ts';
import { summarizeLayers } from '../summary/layers.ts';
import { summarizeLevels, summarizeMains } from '../summary/levels.ts';
import { summarizeRates } from '../summary/rates.ts';
import type { Condition, Summary } from '../summary/summary.ts';
import { perRequest } from '../targets/copies.ts';
import { bridgeGaps } from '../targets/layers.ts';
import { chooseTargets, readTargets } from '../targets/targets.ts';
import { isOfLoad, type Preset, type Workload } from '../workload/declaration.ts';
import { isSelected, loadsOf, pilotOf } from '../workload/loads.ts';
import { conditionSections, detailSections, sectionOf } from './sections.ts';
import { type Asked, COMPARING, type Subjects, type Suite } from './suite.ts';

/** The kind of run that a workload declares; with these options only some of its loads may be measured. */
export function workloadSuite(name: string, workload: Workload, given: GivenOptions = {}): Suite {
  const { loads: measured } = presetOf(workload, given);
  const loads = workload.loads.filter(({ id }) => measured?.includes(id) ?? true);
  const own = { ...workload, loads };
  return {
    ...COMPARING,
    name,
    workload,
    defaults: (asked) => Object.assign({}, workload.amounts, presetOf(workload, asked).amounts),
    standalone: workload.loads.some(({ kind }) => kind === 'open') ? ['driver'] : [],
    pilot: (options) => pilotOf(own, options),
    loads: (inputs) => loadsOf(own, inputs),
    subjects: (asked) => workloadSubjects(workload, asked),
    show: (summary, { details }) => [
      ...workload.show.flatMap((table) => tableSections(table, summary, workload, details)),
      ...detailSections(summary.conditions, details),
    ],
  };
}

/** What a workload measures with --quick or --as-published; otherwise its usual targets. */
function presetOf(workload: Workload, { quick, asPublished }: GivenOptions): Preset {
  const preset = quick ? workload.quick : asPublished ? workload.asPublished : undefined;
  return preset ?? { amounts: {}, targets: workload.usualTargets };
}

/** The targets of a workload: those that are named, or those that it declares for these options. */
export function workloadSubjects(workload: Workload, { given, packages }: Asked): Subjects {
  const { targets: named = null } = given;
  const preset = presetOf(workload, given);
  const chosen = chooseTargets(packages, named, null);
  const all = workload.splitByRequest ? perRequest(chosen.targets) : chosen.targets;
  const kept = all.filter((target) => {
    const isKept = named !== null || isSelected(target, preset.targets);
    return isKept && isSelected(target, workload.targets);
  });
  const targets = workload.bridgeGaps ? bridgeGaps(kept, readTargets(packages)) : kept;
  return { ...chosen, targets };
}

function tableSections(
  table: Workload['show'][number],
  summary: Summary,
  workload: Workload,
  details: boolean,
): Section[] {
  const under = (ids: readonly string[]) => {
    return summary.conditions.filter(({ load }) => ids.some((id) => isOfLoad(load.id, id)));
  };
  /** A summary of the condition with this load, with plain processes if there are such. */
  const read = <Found>(id: string, summarize: (condition: Condition) => Found | null) => {
    const own = under([id]);
    const condition = own.find(({ topology }) => isPlain(topology)) ?? own[0];
    return condition ? summarize(condition) : null;
  };
  switch (table.table) {
    case 'levels':
      return summarizeLevels(under(table.loads), workload).map((level) => {
        return levelSection(level, table, workload);
      });
    case 'over': {
      const mains = read(table.load, (each) => summarizeMains(each, table.base));
      return sectionOf(mains, mainSection);
    }
    case 'changes':
      return sectionOf(read(table.load, summarizeDecompositions), decompositionSections);
    case 'layers':
      return summary.conditions
        .flatMap((condition) => summarizeLayers(condition, table) ?? [])
        .flatMap(layerSections);
    case 'rates': {
      const own = { ...summary, conditions: under(table.loads) };
      return sectionOf(summarizeRates(own), rateTables);
    }
    case 'conditions':
      return conditionSections(under(table.loads), details);
    case 'runtimes':
      return sectionOf(summarizeRuntimes(summary), runtimeSection);
    case 'claims':
      return claimSections(summarizeClaims(summary, workload), table);
  }
}
