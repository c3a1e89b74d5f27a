import type { Command, CommandGroup } from '../../kubectl/commands/command.js';
import type { Session } from '../../kubectl/session/session.js';
import type { Task } from '../../kubectl/session/task.js';
import { compilePattern, patternFault } from '../../../../engine/machinery/text/regex.js';
import { matchesLabels } from '../../kubectl/kustomize/transform/select.js';
import { coalesceValues } from '../chart/values.js';
import { textField } from '../chart/chart.js';
import { nameFault } from '../chart/locate.js';
import { HelmFailure } from '../failure.js';
import { formatTime } from '../../../servers/go.js';
import { formatGoTime, timeJson } from '../go-time.js';
import { formatTable, printData } from '../output.js';
import { newOperation, operationTask, rollbackOf, UNINSTALL } from '../release/operation.js';
import { ansic, hooksText, printRelease, valuesText } from '../release/print.js';
import { appVersion, chartTitle, loadChart, type Release } from '../release/release.js';
import { getRelease, historyOf, listReleases } from '../release/storage.js';
import { clockOf, outputOf, requireArgs, timeoutOf } from './flags.js';

const STATES = ['deployed', 'uninstalled', 'uninstalling', 'pending', 'failed', 'superseded'];

function statesOf({ flags }: Session): (status: string) => boolean {
  if (flags.isOn('all')) return () => true;
  const wanted = STATES.filter((state) => flags.isOn(state));
  const states = wanted.length === 0 ? ['deployed', 'failed'] : wanted;
  return (status) => states.includes(status.startsWith('pending-') ? 'pending' : status);
}

/** `helm list`. Models pkg/action List. */
const list: Command = {
  flags: [
    ...['q,short', 'no-headers', 'time-format:', 'd,date', 'r,reverse', 'a,all', 'A,all-namespaces', 'm,max:'],
    ...['offset:', 'f,filter:', 'l,selector:', 'o,output:', ...STATES],
  ],
  run(session) {
    requireArgs(session, 'list [flags]', 0, 0);
    const { flags } = session;
    const format = outputOf(session);
    const pattern = flags.value('filter');
    const fault = pattern === '' ? undefined : patternFault(pattern);
    if (fault !== undefined) throw new HelmFailure(fault);
    const all = listReleases(session, flags.isOn('all-namespaces') ? '' : session.namespace);
    const latest =
      flags.isOn('superseded') && STATES.every((state) => state === 'superseded' || !flags.isOn(state))
        ? all
        : all.filter((one) => !all.some((other) => isSame(one, other) && other.version > one.version));
    const isWanted = statesOf(session);
    const found = latest
      .filter(({ name }) => pattern === '' || compilePattern(pattern)!.test(name))
      .filter(({ info }) => isWanted(info.status))
      .filter(({ labels }) => matchesLabels(flags.value('selector'), labels))
      .sort((a, b) =>
        flags.isOn('date') ? compare(a.info.last_deployed, b.info.last_deployed) : compare(a.name, b.name),
      );
    if (flags.isOn('reverse')) found.reverse();
    const offset = Number(flags.value('offset') || '0');
    const most = Number(flags.value('max') || '256');
    const rows = found.slice(offset, most > 0 ? offset + most : undefined);
    if (flags.isOn('short')) {
      const names = rows.map(({ name }) => name);
      return format === 'table'
        ? session.out(names.map((name) => `${name}\n`).join(''))
        : printData(session, format, names);
    }
    const layout = flags.value('time-format');
    const elements = rows.map((one) => ({
      ...{ name: one.name, namespace: one.namespace, revision: String(one.version) },
      updated:
        layout === ''
          ? formatTime(Date.parse(one.info.last_deployed))
          : formatGoTime(layout, Date.parse(one.info.last_deployed)),
      ...{ status: one.info.status, chart: chartTitle(one), app_version: appVersion(one) },
    }));
    if (format !== 'table') return printData(session, format, elements);
    const head = ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'];
    session.out(
      formatTable([...(flags.isOn('no-headers') ? [] : [head]), ...elements.map((one) => Object.values(one))]),
    );
  },
};

const isSame = (a: Release, b: Release): boolean => a.name === b.name && a.namespace === b.namespace;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function named(session: Session, usage: string): string {
  requireArgs(session, usage, 1, 1);
  const [name = ''] = session.args;
  session.get('/version');
  if (nameFault(name) !== undefined) throw new HelmFailure(`releaseContent: Release name is invalid: ${name}`);
  return name;
}

const revisionOf = ({ flags }: Session): number => Number(flags.value('revision') || '0');

/** `helm status`. */
const status: Command = {
  flags: ['revision:', 'show-desc', 'show-resources', 'o,output:'],
  run(session) {
    const name = named(session, 'status RELEASE_NAME [flags]');
    const { flags } = session;
    if (flags.isOn('show-resources')) throw new HelmFailure('--show-resources is not simulated');
    const release = getRelease(session, name, revisionOf(session));
    const output = outputOf(session);
    printRelease(session, release, {
      output,
      hideNotes: false,
      showDescription: flags.isOn('show-desc'),
      isStatus: true,
    });
  },
};

/** `helm history`. */
const history: Command = {
  flags: ['max:', 'o,output:'],
  run(session) {
    const name = named(session, 'history RELEASE_NAME [flags]');
    const format = outputOf(session);
    const all = historyOf(session, name);
    if (all.length === 0) throw new HelmFailure('release: not found');
    const rows = all.slice(-Number(session.flags.value('max') || '256')).map((one) => ({
      ...{ revision: one.version, updated: one.info.last_deployed, status: one.info.status, chart: chartTitle(one) },
      ...{ app_version: appVersion(one), description: one.info.description },
    }));
    if (format !== 'table') return printData(session, format, rows);
    const head = ['REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION', 'DESCRIPTION'];
    session.out(
      formatTable([
        head,
        ...rows.map((row) => [
          ...[String(row.revision), ansic(row.updated), row.status, row.chart, row.app_version, row.description],
        ]),
      ]),
    );
  },
};

const GET: Readonly<Record<string, (session: Session, release: Release) => void>> = {
  all: (session, release) =>
    printRelease(session, release, { output: 'table', hideNotes: false, isDebug: true, showMetadata: true }),
  hooks: (session, { hooks }) => session.out(hooksText(hooks)),
  manifest: (session, { manifest }) => session.out(`${manifest}\n`),
  notes: (session, { info }) => session.out(info.notes === '' ? '' : `NOTES:\n${info.notes}\n`),
  values: (session, release) => {
    const isAll = session.flags.isOn('all');
    const values = isAll ? coalesceValues(loadChart(release.chart), release.config, () => undefined) : release.config;
    const format = outputOf(session);
    const isEmpty = !isAll && Object.keys(values).length === 0;
    if (format !== 'table') return printData(session, format, isEmpty ? null : values);
    session.out(`${isAll ? 'COMPUTED' : 'USER-SUPPLIED'} VALUES:\n${isEmpty ? 'null\n' : valuesText(values)}`);
  },
  metadata: (session, release) => {
    const { name, namespace, version, info, chart } = release;
    const dependencies = chart.metadata['dependencies'];
    const rows = {
      ...{ name, chart: textField(chart.metadata, 'name'), version: textField(chart.metadata, 'version') },
      ...{ appVersion: appVersion(release), namespace, revision: version, status: info.status },
      deployedAt: formatGoTime('2006-01-02T15:04:05Z07:00', Date.parse(info.last_deployed)),
    };
    const format = outputOf(session);
    if (format !== 'table') return printData(session, format, rows);
    const names = Array.isArray(dependencies) ? dependencies.map((one) => String((one as { name?: string }).name)) : [];
    session.out(
      `NAME: ${name}\nCHART: ${rows.chart}\nVERSION: ${rows.version}\nAPP_VERSION: ${rows.appVersion}\nANNOTATIONS: \nDEPENDENCIES: ${names.join(',')}\nNAMESPACE: ${namespace}\nREVISION: ${version}\nSTATUS: ${info.status}\nDEPLOYED_AT: ${rows.deployedAt}\n`,
    );
  },
};

const get = (what: string): Command => ({
  flags: ['revision:', 'template:', 'o,output:', ...(what === 'values' ? ['a,all'] : [])],
  run(session) {
    if (session.flags.has('template')) throw new HelmFailure('--template is not simulated');
    const name = named(session, `get ${what} RELEASE_NAME [flags]`);
    GET[what]!(session, getRelease(session, name, revisionOf(session)));
  },
});

/** `helm rollback`. */
const rollback: Command = {
  flags: [
    ...['dry-run', 'recreate-pods', 'force', 'no-hooks', 'timeout:', 'wait', 'wait-for-jobs', 'cleanup-on-fail'],
    'history-max:',
  ],
  run(session) {
    requireArgs(session, 'rollback <RELEASE> [REVISION] [flags]', 1);
    const { flags, args } = session;
    const [name = '', given = '0'] = args;
    if (!/^-?\d+$/.test(given))
      throw new HelmFailure(
        `could not convert revision to a number: strconv.Atoi: parsing ${JSON.stringify(given)}: invalid syntax`,
      );
    session.get('/version');
    if (nameFault(name) !== undefined) throw new HelmFailure(`prepareRollback: Release name is invalid: ${name}`);
    if (Number(given) < 0) throw new HelmFailure('invalid release revision');
    const all = historyOf(session, name);
    const current = all.at(-1);
    if (!current) throw new HelmFailure('release: not found');
    const version = Number(given) || current.version - 1;
    const target = all.find((one) => one.version === version);
    if (!target) throw new HelmFailure(`release has no ${version} version`);
    const done = 'Rollback was a success! Happy Helming!\n';
    if (flags.isOn('dry-run')) return session.out(done);
    const settings = {
      ...{ noHooks: flags.isOn('no-hooks'), wait: flags.isOn('wait'), waitForJobs: flags.isOn('wait-for-jobs') },
      ...{ force: flags.isOn('force'), cleanup: flags.isOn('cleanup-on-fail'), output: '', title: done },
      historyMax: Number(flags.value('history-max') || '10'),
    };
    return [operationTask(rollbackOf(session, current, target, timeoutOf(session), settings))];
  },
};

const CASCADES: Readonly<Record<string, string>> = {
  ...{ background: 'Background', foreground: 'Foreground', orphan: 'Orphan' },
};

/** `helm uninstall`. */
const uninstall: Command = {
  flags: ['dry-run', 'no-hooks', 'ignore-not-found', 'keep-history', 'wait', 'cascade:', 'timeout:', 'description:'],
  run(session) {
    requireArgs(session, 'uninstall RELEASE_NAME [...] [flags]', 1);
    const { flags, args } = session;
    const cascade = flags.value('cascade') || 'background';
    if (!Object.hasOwn(CASCADES, cascade))
      throw new HelmFailure(`invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`);
    timeoutOf(session);
    session.get('/version');
    const [name = '', ...others] = args;
    if (others.length > 0) return args.map((one) => ({ name: 'helm uninstall', data: one, delay: 0 }));
    return uninstallOne(session, name);
  },
};

function uninstallOne(session: Session, name: string): Task[] | void {
  const { flags } = session;
  const title = `release "${name}" uninstalled\n`;
  if (nameFault(name) !== undefined) throw new HelmFailure(`uninstall: Release name is invalid: ${name}`);
  const all = historyOf(session, name);
  const last = all.at(-1);
  if (!last) {
    if (flags.isOn('ignore-not-found')) return void session.out(title);
    throw new HelmFailure(
      flags.isOn('dry-run') ? 'release: not found' : `uninstall: Release not loaded: ${name}: release: not found`,
    );
  }
  if (flags.isOn('dry-run')) return void session.out(title);
  const keepHistory = flags.isOn('keep-history');
  const isGone = last.info.status === 'uninstalled';
  if (isGone && keepHistory) throw new HelmFailure(`the release named ${JSON.stringify(name)} is already deleted`);
  const info = {
    ...last.info,
    ...{
      status: 'uninstalling',
      deleted: timeJson(clockOf(session)),
      description: 'Deletion in progress (or silently failed)',
    },
  };
  const steps = isGone
    ? ['purge']
    : UNINSTALL.flatMap((step) => (step === 'delete' && flags.isOn('wait') ? [step, 'wait for deletion'] : [step]));
  const settings = {
    ...{ noHooks: flags.isOn('no-hooks'), keepHistory, title, description: flags.value('description') },
    cascade: CASCADES[flags.value('cascade') || 'background']!,
  };
  return [operationTask(newOperation('uninstall', { ...last, info }, null, steps, timeoutOf(session), settings))];
}

/** `helm test`. */
const test: Command = {
  flags: ['timeout:', 'logs', 'filter:', 'hide-notes', 'o,output:'],
  run(session) {
    const name = named(session, 'test [RELEASE] [flags]');
    const { flags } = session;
    if (flags.has('filter')) throw new HelmFailure('--filter is not simulated');
    const release = getRelease(session, name);
    const settings = { output: outputOf(session) as string, hideNotes: flags.isOn('hide-notes') };
    const steps = ['hooks test', 'finish', ...(flags.isOn('logs') ? ['logs'] : [])];
    return [operationTask(newOperation('test', release, null, steps, timeoutOf(session), settings))];
  },
};

export const group: CommandGroup = {
  commands: {
    ...{ list, status, history, rollback, uninstall, test },
    ...Object.fromEntries(Object.keys(GET).map((what) => [`get ${what}`, get(what)])),
  },
  tasks: { 'helm uninstall': (session, data) => uninstallOne(session, data as string) },
};
