import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Command, CommandGroup } from '../../kubectl/commands/command.js';
import { ApiFailure } from '../../kubectl/session/failure.js';
import type { Session } from '../../kubectl/session/session.js';
import { type Task, task } from '../../kubectl/session/task.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { coalesceTables, coalesceValues, copyDeep, plainOf, type Values } from '../chart/values.js';
import type { Chart, PlainMap } from '../chart/chart.js';
import {
  checkDependencies,
  checkInstallable,
  collectValues,
  labelsOf,
  locateChart,
  nameAndChart,
  nameFault,
} from '../chart/locate.js';
import { HelmFailure, withPrefix } from '../failure.js';
import { timeJson } from '../go-time.js';
import { buildObjects, checkOwnership, isSameObject } from '../release/objects.js';
import { ADOPT, INSTALL, newOperation, operationTask, runOperation, stepsFor, UPGRADE } from '../release/operation.js';
import { crdsOf, renderRelease, serverCapabilities } from '../release/prepare.js';
import { splitManifests } from '../engine/manifests.js';
import { printRelease } from '../release/print.js';
import { loadChart, type Release, storeChart } from '../release/release.js';
import { historyOf } from '../release/storage.js';
import { CHANGE, clockOf, dryRunOf, outputOf, refuseFlags, requireArgs, timeoutOf } from './flags.js';

const INSTALLATION = 'INSTALLATION FAILED';
const UPGRADING = 'UPGRADE FAILED';

/** `helm install`. */
const install: Command = {
  flags: [...CHANGE, 'g,generate-name', 'name-template:', 'replace'],
  run(session) {
    requireArgs(session, 'install [NAME] [CHART] [flags]', 1);
    return beginInstall(session, INSTALLATION, '', session.flags.isOn('replace'));
  },
};

/** `helm upgrade`, and `--install`. */
const upgrade: Command = {
  flags: [
    ...CHANGE,
    ...['i,install', 'reset-values', 'reuse-values', 'reset-then-reuse-values', 'history-max:', 'cleanup-on-fail'],
    'recreate-pods',
  ],
  run(session) {
    requireArgs(session, 'upgrade [RELEASE] [CHART] [flags]', 2, 2);
    const { flags, args } = session;
    const format = outputOf(session);
    if (flags.isOn('install')) {
      const history = historyOf(session, args[0]!);
      const isGone = history.at(-1)?.info.status === 'uninstalled';
      if (history.length === 0 || isGone) {
        const title = `Release "${args[0]}" does not exist. Installing it now.\n`;
        return beginInstall(session, '', format === 'table' ? title : '', isGone);
      }
    }
    return beginUpgrade(session);
  },
};

/** What is to be installed, as the command line says it. */
function readRequest(session: Session): { name: string; chart: Chart; values: Values } {
  refuseFlags(session, 'post-renderer', 'dependency-update', 'verify');
  const { name, chart: given } = nameAndChart(session, clockOf(session));
  const chart = locateChart(session, given);
  const values = collectValues(session);
  return { name, chart, values };
}

function beginInstall(session: Session, prefix: string, title: string, replaces: boolean): Task[] {
  session.out(title);
  return withPrefix(prefix, () => {
    outputOf(session);
    timeoutOf(session);
    const { name, chart } = readRequest(session);
    checkInstallable(chart);
    if (chart.metadata['deprecated'] === true) session.err('WARNING: This chart is deprecated\n');
    const dryRun = dryRunOf(session);
    session.get('/version');
    const fault = nameFault(name);
    if (fault !== undefined) throw new HelmFailure(`release name ${JSON.stringify(name)}: ${fault}`);
    const history = dryRun === '' ? historyOf(session, name) : [];
    const last = history.at(-1);
    const mayReplace = replaces && ['uninstalled', 'failed'].includes(last?.info.status ?? '');
    if (last && !mayReplace) throw new HelmFailure('cannot re-use a name that is still in use');
    const data = { prefix, version: (last?.version ?? 0) + 1, name };
    const crds = session.flags.isOn('skip-crds') || dryRun !== '' ? [] : crdsOf(chart);
    const next = task('helm install', data);
    if (crds.length === 0) return [next];
    return [task('helm crds', { prefix, crds: crds.map(({ content }) => content) }), { ...next, delay: CRD_DELAY }];
  });
}

/** ms until the server serves what a definition defines. */
const CRD_DELAY = 1_000;

/** Creates the definitions of crds/; those that are there stay as they are. */
function installCrds(session: Session, data: Plain): void {
  const { prefix, crds } = data as unknown as { prefix: string; crds: string[] };
  withPrefix(prefix, () => {
    for (const text of crds.flatMap(splitManifests)) {
      const { value } = parseYaml(text);
      try {
        session.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldManager=helm', value);
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (error.reason !== 'AlreadyExists') throw new HelmFailure(`failed to install CRD: ${error.message}`);
      }
    }
  });
  session.forgetsResources = true;
}

/** Renders the chart; what is to be done is a task of its own, as each answer runs a task again. */
function prepareInstall(session: Session, data: Plain): Task[] {
  const { prefix, version, name } = data as unknown as { prefix: string; version: number; name: string };
  return withPrefix(prefix, () => {
    const { chart, values } = readRequest(session);
    const dryRun = dryRunOf(session);
    const request = { chart, values, name, revision: 1, isInstall: true, capabilities: serverCapabilities(session) };
    const stored = storeChart(chart);
    const rendered = renderRelease(session, { ...request, asksCluster: dryRun !== 'client' });
    const stamp = timeJson(clockOf(session));
    const release: Release = {
      ...{ name, chart: stored, config: plainOf(values) as PlainMap, version, namespace: session.namespace },
      info: {
        ...{ first_deployed: stamp, last_deployed: stamp, deleted: '', notes: rendered.notes },
        ...{ status: 'pending-install', description: 'Initial install underway' },
      },
      ...{ manifest: rendered.manifest, hooks: rendered.hooks, labels: labelsOf(session) },
    };
    return [task('helm install check', { prefix, release } as unknown as Plain)];
  });
}

const settingsOf = (session: Session, prefix: string, title: string) => {
  const { flags } = session;
  return {
    noHooks: flags.isOn('no-hooks'),
    wait: flags.isOn('wait') || flags.isOn('atomic'),
    waitForJobs: flags.isOn('wait-for-jobs'),
    atomic: flags.isOn('atomic'),
    cleanup: flags.isOn('cleanup-on-fail'),
    force: flags.isOn('force'),
    createNamespace: flags.isOn('create-namespace'),
    hideNotes: flags.isOn('hide-notes'),
    historyMax: Number(flags.value('history-max') || '10'),
    description: flags.value('description'),
    output: outputOf(session) as string,
    prefix,
    title,
  };
};

function checkInstall(session: Session, data: Plain): Task[] {
  const { prefix, release } = data as unknown as { prefix: string; release: Release };
  return withPrefix(prefix, () => {
    const what = 'unable to build kubernetes objects from release manifest';
    const objects = buildObjects(session, release.manifest, release.namespace, what);
    const adopted = withPrefix('Unable to continue with install', () =>
      checkOwnership(session, objects, release, session.flags.isOn('take-ownership')),
    );
    const settings = settingsOf(session, prefix, '');
    if (dryRunOf(session) !== '') {
      printDryRun(session, release, settings);
      return [];
    }
    const steps = stepsFor(adopted.length > 0 ? ADOPT : INSTALL, settings);
    return [operationTask(newOperation('install', release, null, steps, timeoutOf(session), settings))];
  });
}

function printDryRun(session: Session, release: Release, settings: { output: string; hideNotes: boolean }): void {
  const shown = session.flags.isOn('hide-secret')
    ? release.manifest.replace(
        /(^---\n# Source: [^\n]*\n)(?=(?:(?!^---$)[^])*?^kind: Secret$)(?:(?!^---$)[^])*/gm,
        '$1# HIDDEN: The Secret output has been suppressed\n',
      )
    : release.manifest;
  const info = { ...release.info, description: 'Dry run complete' };
  printRelease(session, { ...release, manifest: shown, info }, settings);
}

function beginUpgrade(session: Session): Task[] {
  const [name = ''] = session.args;
  const dryRun = dryRunOf(session);
  timeoutOf(session);
  const { chart, values } = readRequest(session);
  checkDependencies(chart);
  if (chart.metadata['deprecated'] === true) session.err('WARNING: This chart is deprecated\n');
  return withPrefix(UPGRADING, () => {
    const capabilities = serverCapabilities(session);
    if (nameFault(name) !== undefined) throw new HelmFailure(`release name is invalid: ${name}`);
    const history = historyOf(session, name);
    const last = history.at(-1);
    if (!last) throw new HelmFailure(`"${name}" has no deployed releases`);
    if (last.info.status.startsWith('pending-'))
      throw new HelmFailure('another operation (install/upgrade/rollback) is in progress');
    const current =
      last.info.status === 'deployed'
        ? last
        : (history.findLast(({ info }) => info.status === 'deployed') ??
          (['failed', 'superseded'].includes(last.info.status) ? last : undefined));
    if (!current) throw new HelmFailure(`"${name}" has no deployed releases`);
    const stored = storeChart(chart);
    const all = reuseValues(session, chart, current, values);
    const revision = last.version + 1;
    const request = { chart, values: all, name, revision, isInstall: false, capabilities };
    const rendered = renderRelease(session, { ...request, asksCluster: dryRun !== 'client' });
    const release: Release = {
      ...{ name, chart: { ...stored, values: chart.values }, config: plainOf(all) as PlainMap, version: revision },
      namespace: current.namespace,
      info: {
        first_deployed: current.info.first_deployed,
        ...{ last_deployed: timeJson(clockOf(session)), deleted: '', notes: rendered.notes },
        ...{ status: 'pending-upgrade', description: 'Preparing upgrade' },
      },
      ...{ manifest: rendered.manifest, hooks: rendered.hooks, labels: { ...last.labels, ...labelsOf(session) } },
    };
    return [task('helm upgrade check', { release, previous: current } as unknown as Plain)];
  });
}

/** Models Upgrade.reuseValues. */
function reuseValues(session: Session, chart: Chart, current: Release, values: Values): Values {
  const { flags } = session;
  const quiet = (): void => undefined;
  if (flags.isOn('reset-values')) return values;
  const old = copyDeep(current.config) as Values;
  if (flags.isOn('reuse-values')) {
    const before = coalesceValues(loadChart(current.chart), current.config, quiet);
    const merged = coalesceTables(values, old, '', false, quiet);
    chart.values = plainOf(before) as PlainMap;
    return merged;
  }
  if (flags.isOn('reset-then-reuse-values')) return coalesceTables(values, old, '', false, quiet);
  return Object.keys(values).length === 0 ? old : values;
}

function checkUpgrade(session: Session, data: Plain): Task[] {
  const { release, previous } = data as unknown as { release: Release; previous: Release };
  return withPrefix(UPGRADING, () => {
    const from = (what: string): string => `unable to build kubernetes objects from ${what} release manifest`;
    const current = buildObjects(session, previous.manifest, previous.namespace, from('current'));
    const target = buildObjects(session, release.manifest, release.namespace, from('new'));
    const fresh = target.filter((one) => !current.some((other) => isSameObject(one, other)));
    withPrefix('Unable to continue with update', () =>
      checkOwnership(session, fresh, release, session.flags.isOn('take-ownership')),
    );
    const title = `Release "${release.name}" has been upgraded. Happy Helming!\n`;
    const settings = settingsOf(session, UPGRADING, outputOf(session) === 'table' ? title : '');
    if (dryRunOf(session) !== '') {
      session.out(settings.title);
      printDryRun(session, release, settings);
      return [];
    }
    const steps = stepsFor(UPGRADE, settings);
    return [operationTask(newOperation('upgrade', release, previous, steps, timeoutOf(session), settings))];
  });
}

export const group: CommandGroup = {
  commands: { install, upgrade },
  tasks: {
    'helm crds': installCrds,
    'helm install': prepareInstall,
    'helm install check': checkInstall,
    'helm upgrade check': checkUpgrade,
    'helm operation': runOperation,
  },
};
