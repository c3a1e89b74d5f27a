import type { Session } from '../../kubectl/session/session.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import { coalesceValues } from '../chart/values.js';
import { textField } from '../chart/chart.js';
import { ANSIC, formatGoTime } from '../go-time.js';
import { printData } from '../output.js';
import { type Hook, loadChart, type Release, releaseJson } from './release.js';

export interface PrintSettings {
  readonly output: string;
  readonly hideNotes: boolean;
  readonly showDescription?: boolean;
  readonly showMetadata?: boolean;
  /** Also values, hooks and the manifest. */
  readonly isDebug?: boolean;
  /** Without the chart. */
  readonly isStatus?: boolean;
}

export const ansic = (stamp: string): string => formatGoTime(ANSIC, Date.parse(stamp));

/** Models cmd/helm statusPrinter. */
export function printRelease(session: Session, release: Release, settings: PrintSettings): void {
  if (settings.output === 'json' || settings.output === 'yaml') {
    const { chart: _chart, ...rest } = releaseJson(release);
    return printData(session, settings.output, settings.isStatus ? rest : releaseJson(release));
  }
  const { name, info, namespace, version, hooks, manifest, chart } = release;
  session.out(`NAME: ${name}\n`);
  if (info.last_deployed !== '') session.out(`LAST DEPLOYED: ${ansic(info.last_deployed)}\n`);
  session.out(`NAMESPACE: ${namespace}\nSTATUS: ${info.status}\nREVISION: ${version}\n`);
  if (settings.showMetadata)
    session.out(
      `CHART: ${textField(chart.metadata, 'name')}\nVERSION: ${textField(chart.metadata, 'version')}\nAPP_VERSION: ${textField(chart.metadata, 'appVersion')}\n`,
    );
  if (settings.showDescription) session.out(`DESCRIPTION: ${info.description}\n`);
  printTests(session, hooks);
  if (settings.isDebug) {
    const computed = coalesceValues(loadChart(chart), release.config, () => undefined);
    session.out(`USER-SUPPLIED VALUES:\n${valuesText(release.config)}\nCOMPUTED VALUES:\n${valuesText(computed)}\n`);
  }
  if (info.description.toLowerCase() === 'dry run complete' || settings.isDebug) {
    session.out(`HOOKS:\n${hooksText(hooks)}MANIFEST:\n${manifest}\n`);
  }
  if (!settings.hideNotes && info.notes !== '') session.out(`NOTES:\n${info.notes.trim()}\n`);
}

/** null for no values, as Go's nil map. */
export const valuesText = (values: object): string => (Object.keys(values).length === 0 ? '{}\n' : formatYaml(values));

export const hooksText = (hooks: readonly Hook[]): string =>
  hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}\n`).join('');

function printTests(session: Session, hooks: readonly Hook[]): void {
  const tests = hooks.filter(({ events }) => events.includes('test'));
  if (tests.length === 0) return session.out('TEST SUITE: None\n');
  for (const { name, last_run } of tests) {
    if (last_run.started_at === '') continue;
    const completed = last_run.completed_at === '' ? 'Mon Jan  1 00:00:00 0001' : ansic(last_run.completed_at);
    session.out(
      `TEST SUITE:     ${name}\nLast Started:   ${ansic(last_run.started_at)}\nLast Completed: ${completed}\nPhase:          ${last_run.phase}\n`,
    );
  }
}
