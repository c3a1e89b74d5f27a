import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Session } from '../../kubectl/session/session.js';
import { writeText } from '../../kubectl/session/session.js';
import type { Command, CommandGroup } from '../../kubectl/commands/command.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import { writeArchive } from '../chart/archive.js';
import { type Chart, dependenciesOf, nameOf, versionOf } from '../chart/chart.js';
import { checkDependencies, checkInstallable, collectValues, locateChart, nameAndChart } from '../chart/locate.js';
import { loadChartAt } from '../chart/load.js';
import { pathExists } from '../../sessions/copy-files.js';
import { parseConstraint, parseVersion } from '../chart/semver.js';
import { trimSlashes } from '../../names.js';
import { matchesGlob } from '../../patterns/glob.js';
import { splitManifests } from '../engine/manifests.js';
import { HelmFailure } from '../failure.js';
import { crdsOf, clientCapabilities, renderRelease, serverCapabilities } from '../release/prepare.js';
import { findByUrl } from '../repositories/repositories.js';
import { makeFolders } from '../repositories/paths.js';
import { scaffoldOf } from '../scaffold/index.js';
import { formatTable } from '../output.js';
import { clockOf, CHANGE, CHART, refuseFlags, requireArgs, VALUES } from './flags.js';

/** Throws HelmFailure. */
export function inWords<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof SystemError ? new HelmFailure(error.message.toLowerCase()) : error;
  }
}

const CHART_NAME = /^[a-zA-Z0-9._-]+$/;

/** `helm create`. Models pkg/chartutil Create. */
const create: Command = {
  flags: ['p,starter:'],
  run(session) {
    requireArgs(session, 'create NAME [flags]', 1, 1);
    refuseFlags(session, 'starter');
    const path = trimSlashes(session.args[0]!);
    const name = path.slice(path.lastIndexOf('/') + 1);
    session.out(`Creating ${session.args[0]}\n`);
    if (name === '' || name.length > 250) throw new HelmFailure('chart name must be between 1 and 250 characters');
    if (!CHART_NAME.test(name))
      throw new HelmFailure(`chart name must match the regular expression ${JSON.stringify(CHART_NAME.source)}`);
    const { sys } = session;
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    if (parent !== '' && !pathExists(sys, parent))
      throw new HelmFailure(`stat ${absolute(session, parent)}: no such file or directory`);
    inWords(() => {
      for (const file of scaffoldOf(name)) {
        const target = `${path}/${file.name}`;
        makeFolders(session, target.slice(0, target.lastIndexOf('/')));
        if (pathExists(sys, target))
          session.err(`WARNING: File ${JSON.stringify(absolute(session, target))} already exists. Overwriting.\n`);
        writeText(session, target, textOf(file.data));
        sys.chmod(target, 0o644);
      }
      makeFolders(session, `${path}/charts`);
    });
  },
};

const absolute = ({ sys }: Session, path: string): string =>
  path.startsWith('/') ? path : `${sys.cwd()}/${path}`.replaceAll('/./', '/').replace(/\/\.$/, '');

/** `helm template`. */
const template: Command = {
  flags: [
    ...CHANGE,
    ...['g,generate-name', 'name-template:', 'replace', 's,show-only:', 'output-dir:', 'validate', 'include-crds'],
    ...['skip-tests', 'is-upgrade', 'kube-version:', 'a,api-versions:', 'release-name'],
  ],
  run(session) {
    requireArgs(session, 'template [NAME] [CHART] [flags]', 1);
    refuseFlags(session, 'post-renderer', 'output-dir');
    const { flags } = session;
    const { name, chart: given } = nameAndChart(
      session,
      clockOf(session),
      flags.isOn('generate-name') ? '' : 'release-name',
    );
    const chart = locateChart(session, given);
    const values = collectValues(session);
    checkInstallable(chart);
    const asks = flags.isOn('validate') || flags.value('dry-run') === 'server';
    const capabilities = asks
      ? serverCapabilities(session)
      : clientCapabilities(flags.value('kube-version'), flags.list('api-versions'));
    const isInstall = !flags.isOn('is-upgrade');
    let rendered;
    try {
      rendered = renderRelease(session, {
        ...{
          chart,
          values,
          name,
          revision: 1,
          isInstall,
          capabilities,
          asksCluster: flags.value('dry-run') === 'server',
        },
      });
    } catch (error) {
      if (!(error instanceof HelmFailure)) throw error;
      throw new HelmFailure(`${error.message}\n\nUse --debug flag to render out invalid YAML`);
    }
    let text = `${rendered.manifest.trim()}\n`;
    if (!flags.isOn('no-hooks'))
      for (const { events, path, manifest } of rendered.hooks)
        if (!flags.isOn('skip-tests') || !events.includes('test')) text += `---\n# Source: ${path}\n${manifest}\n`;
    session.out(flags.has('show-only') ? chooseManifests(text, flags.list('show-only')) : text);
  },
};

function chooseManifests(text: string, wanted: readonly string[]): string {
  const parts = splitManifests(text).map((part) => ({ part, path: /# Source: [^/]+\/(.+)/.exec(part)?.[1] ?? '' }));
  return wanted
    .flatMap((pattern) => {
      const found = parts.filter(
        ({ path }) =>
          path === pattern ||
          (pattern.split('/').length === path.split('/').length && matchesGlob(bytesOf(pattern), bytesOf(path))),
      );
      if (found.length === 0) throw new HelmFailure(`could not find template ${pattern} in chart`);
      return found.map(({ part }) => `---\n${part}\n`);
    })
    .join('');
}

/** `helm lint`. Models pkg/lint, as far as it finds what hinders an installation. */
const lint: Command = {
  flags: [...VALUES, 'strict', 'with-subcharts', 'quiet', 'skip-schema-validation', 'kube-version:'],
  run(session) {
    const { flags } = session;
    const paths = session.args.length === 0 ? ['.'] : session.args;
    const isQuiet = flags.isOn('quiet');
    let failed = 0;
    let noted = 0;
    for (const path of paths) {
      const messages = lintChart(session, path);
      const isBad = messages.some((line) => /^(?:Error|\[ERROR\])/.test(line));
      const isStrict = flags.isOn('strict') && messages.some((line) => line.startsWith('[WARNING]'));
      if (isBad || isStrict) failed++;
      const shown = isQuiet ? messages.filter((line) => !line.startsWith('[INFO]')) : messages;
      if (shown.length > 0 || !isQuiet)
        session.out(`==> Linting ${path}\n${shown.map((line) => `${line}\n`).join('')}\n`);
      if (isQuiet) noted += shown.length;
    }
    const summary = `${paths.length} chart(s) linted, ${failed} chart(s) failed`;
    if (failed > 0) throw new HelmFailure(summary);
    if (!isQuiet || noted > 0) session.out(`${summary}\n`);
  },
};

function lintChart(session: Session, path: string): string[] {
  const { sys, flags } = session;
  const isArchive = /\.(?:tgz|tar\.gz)$/.test(path);
  if (!isArchive && !pathExists(sys, `${path}/Chart.yaml`))
    return [`Error unable to check Chart.yaml file in chart: stat ${path}/Chart.yaml: no such file or directory`];
  if (!pathExists(sys, path)) return [`Error unable to open tarball: open ${path}: no such file or directory`];
  const messages: string[] = [];
  let chart: Chart;
  try {
    chart = loadChartAt(sys, sys.realPath(path));
  } catch (error) {
    if (!(error instanceof HelmFailure)) throw error;
    return [
      `[ERROR] Chart.yaml: ${error.message.replace('validation: chart.metadata.', '')}`,
      `[ERROR] : unable to load chart\n\t${error.message}`,
    ];
  }
  const { metadata, raw, templates } = chart;
  if (metadata['icon'] === undefined) messages.push('[INFO] Chart.yaml: icon is recommended');
  if (!raw.some(({ name }) => name === 'values.yaml')) messages.push('[INFO] values.yaml: file does not exist');
  if (templates.length === 0) messages.push('[WARNING] templates/: directory not found');
  try {
    checkDependencies(chart);
    const capabilities = clientCapabilities(flags.value('kube-version'));
    const values = collectValues(session);
    const request = { chart, values, name: 'test-release', revision: 1, isInstall: true, capabilities };
    renderRelease(session, { ...request, asksCluster: false, isLint: true });
  } catch (error) {
    if (!(error instanceof HelmFailure)) throw error;
    messages.push(`[ERROR] templates/: ${error.message}`);
  }
  return messages;
}

const SHOWN = ['all', 'chart', 'crds', 'readme', 'values'] as const;

/** `helm show values` and its like. Models pkg/action Show. */
const show = (what: (typeof SHOWN)[number]): Command => ({
  flags: [...CHART, 'jsonpath:'],
  run(session) {
    requireArgs(session, `show ${what} [CHART] [flags]`, 1, 1);
    refuseFlags(session, 'jsonpath');
    const chart = locateChart(session, session.args[0]!);
    const file = (...names: readonly string[]): string | undefined => {
      const found = chart.raw.find(({ name }) => names.includes(name.toLowerCase()));
      return found ? textOf(found.data) : undefined;
    };
    if (what === 'chart' || what === 'all') session.out(`${formatYaml(chart.metadata)}${what === 'chart' ? '\n' : ''}`);
    if (what === 'values' || what === 'all') {
      if (what === 'all') session.out('\n---\n');
      session.out(`${file('values.yaml') ?? ''}\n`);
    }
    if (what === 'readme' || what === 'all') {
      const readme = file('readme.md', 'readme.txt', 'readme');
      if (readme !== undefined) session.out(`${what === 'all' ? '\n---\n' : ''}${readme}\n`);
    }
    if (what === 'crds' || what === 'all')
      for (const { content } of crdsOf(chart)) session.out(`${content.startsWith('---') ? '' : '---\n'}${content}\n`);
  },
});

/** The chart that a command line names by its path. Throws HelmFailure. */
function loadGiven(sys: Session['sys'], path: string): Chart {
  if (!pathExists(sys, path)) throw new HelmFailure(`stat ${path}: no such file or directory`);
  return loadChartAt(sys, sys.realPath(path));
}

/** `helm package`. */
const pack: Command = {
  flags: [
    'version:',
    'app-version:',
    'd,destination:',
    'u,dependency-update',
    'sign',
    'key:',
    'keyring:',
    'passphrase-file:',
  ],
  run(session) {
    const { flags, args, sys } = session;
    if (args.length === 0) throw new HelmFailure('need at least one argument, the path to the chart');
    refuseFlags(session, 'sign', 'dependency-update');
    for (const path of args) {
      const chart = loadGiven(sys, path);
      checkDependencies(chart);
      const change = { version: flags.value('version'), appVersion: flags.value('app-version') };
      for (const [field, value] of Object.entries(change)) if (value !== '') chart.metadata[field] = value;
      if (!parseVersion(versionOf(chart))) throw new HelmFailure('Invalid Semantic Version');
      const folder = flags.value('destination') || '.';
      makeFolders(session, folder);
      const target = `${absolute(session, folder)}/${nameOf(chart)}-${versionOf(chart)}.tgz`.replace('//', '/');
      inWords(() => writeArchive(session, target, chart, clockOf(session)));
      session.out(`Successfully packaged chart and saved it to: ${target}\n`);
    }
  },
};

/** `helm dependency list`. Models pkg/action Dependency. */
const listDependencies: Command = {
  flags: ['max-col-width:'],
  run(session) {
    const path = session.args[0] ?? '.';
    const chart = loadGiven(session.sys, path);
    const listed = dependenciesOf(chart);
    if (listed.length === 0) return session.out(`WARNING: no dependencies at ${path.replace(/\/$/, '')}/charts\n`);
    const rows = listed.map(({ name, version, repository }) => {
      const found = chart.dependencies.find((one) => nameOf(one) === name);
      return [name, version, repository, found ? statusOf(chart, found, version) : 'missing'];
    });
    session.out(`${formatTable([['NAME', 'VERSION', 'REPOSITORY', 'STATUS'], ...rows])}\n`);
  },
};

function statusOf(chart: Chart, found: Chart, wanted: string): string {
  const own = parseVersion(versionOf(found));
  if (wanted !== '' && (!own || !(parseConstraint(wanted)?.(own) ?? true))) return 'wrong version';
  return chart.raw.some(({ name }) => name === `charts/${nameOf(found)}-${versionOf(found)}.tgz`) ? 'ok' : 'unpacked';
}

/** `helm dependency update` and `build`: charts of repositories that are known here. */
const updateDependencies: Command = {
  flags: [
    'skip-refresh',
    'verify',
    'keyring:',
    ...CHART.filter((flag) => !flag.startsWith('version') && flag !== 'verify' && !flag.startsWith('keyring')),
  ],
  run(session) {
    const path = session.args[0] ?? '.';
    const { sys } = session;
    const chart = loadGiven(sys, path);
    const listed = dependenciesOf(chart);
    if (listed.length === 0) return;
    const remote = listed.filter(({ repository }) => !repository.startsWith('file://') && repository !== '');
    makeFolders(session, `${path}/charts`);
    session.out(`Saving ${listed.length} charts\n`);
    for (const { name, version, repository } of listed) {
      if (repository === '') continue;
      const found = repository.startsWith('file://')
        ? loadChartAt(sys, sys.realPath(`${path}/${repository.slice('file://'.length)}`))
        : findByUrl(session, name, version, repository);
      if (remote.length > 0 && !repository.startsWith('file://'))
        session.out(`Downloading ${name} from repo ${repository}\n`);
      inWords(() =>
        writeArchive(session, `${path}/charts/${nameOf(found)}-${versionOf(found)}.tgz`, found, clockOf(session)),
      );
    }
    session.out('Deleting outdated charts\n');
  },
};

export const group: CommandGroup = {
  commands: {
    ...{ create, template, lint, package: pack, 'dependency list': listDependencies },
    ...{ 'dependency update': updateDependencies, 'dependency build': updateDependencies },
    ...Object.fromEntries(SHOWN.map((what) => [`show ${what}`, show(what)])),
  },
};
