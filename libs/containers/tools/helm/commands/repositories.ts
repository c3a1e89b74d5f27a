import { textOf } from '../../../../engine/kernel/bytes.js';
import { hex, sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import { toArray } from '../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { readSmallFile } from '../../accounts.js';
import { trimSlashes } from '../../names.js';
import { isMap } from '../../go-template/values.js';
import type { Command, CommandGroup } from '../../kubectl/commands/command.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import { type Session, writeText } from '../../kubectl/session/session.js';
import { packChart } from '../chart/archive.js';
import { writeWholeFile } from '../../whole-file.js';
import { nameOf, versionOf } from '../chart/chart.js';
import { locateChart } from '../chart/locate.js';
import { loadChartAt } from '../chart/load.js';
import { pathExists } from '../../sessions/copy-files.js';
import { parseConstraint, parseVersion } from '../chart/semver.js';
import { HelmFailure } from '../failure.js';
import { timeJson } from '../go-time.js';
import { formatTable, printData } from '../output.js';
import { makeFolders, pathsOf, readEntries, type RepositoryEntry, writeEntries } from '../repositories/paths.js';
import { indexText, openRepository } from '../repositories/repositories.js';
import { clockOf, CHART, outputOf, refuseFlags, requireArgs } from './flags.js';
import { inWords } from './local.js';

const stampOf = (session: Session): string => timeJson(clockOf(session));
const indexPath = (session: Session, name: string): string => `${pathsOf(session).indexes}/${name}-index.yaml`;

/** Writes what the repository has into the cache. Throws HelmFailure. */
function download(session: Session, { name, url }: RepositoryEntry): void {
  const repository = openRepository(session, url);
  inWords(() => {
    const { indexes } = pathsOf(session);
    makeFolders(session, indexes);
    writeText(session, indexPath(session, name), indexText(repository, stampOf(session)));
    writeText(session, `${indexes}/${name}-charts.txt`, repository.charts.map((one) => `${one.name}\n`).join(''));
  });
}

/** `helm repo add`. */
const add: Command = {
  flags: [
    ...['username:', 'password:', 'password-stdin', 'force-update', 'no-update', 'cert-file:', 'key-file:', 'ca-file:'],
    ...['insecure-skip-tls-verify', 'allow-deprecated-repos', 'pass-credentials'],
  ],
  run(session) {
    requireArgs(session, 'add [NAME] [URL] [flags]', 2, 2);
    const [name = '', url = ''] = session.args;
    if (name.includes('/'))
      throw new HelmFailure(`repository name (${name}) contains '/', please specify a different name without '/'`);
    const entries = readEntries(session);
    const known = entries.find((one) => one.name === name);
    if (known && !session.flags.isOn('force-update')) {
      if (known.url !== url)
        throw new HelmFailure(`repository name (${name}) already exists, please specify a different name`);
      return session.out(`"${name}" already exists with the same configuration, skipping\n`);
    }
    download(session, { name, url });
    inWords(() => writeEntries(session, [...entries.filter((one) => one !== known), { name, url }], stampOf(session)));
    session.out(`"${name}" has been added to your repositories\n`);
  },
};

const list: Command = {
  flags: ['o,output:'],
  run(session) {
    requireArgs(session, 'list [flags]', 0, 0);
    const entries = readEntries(session);
    const format = outputOf(session);
    if (format !== 'table') return printData(session, format, entries);
    if (entries.length === 0) throw new HelmFailure('no repositories to show');
    session.out(formatTable([['NAME', 'URL'], ...entries.map(({ name, url }) => [name, url])]));
  },
};

const update: Command = {
  flags: ['fail-on-repo-update-fail'],
  run(session) {
    const entries = readEntries(session);
    if (entries.length === 0) throw new HelmFailure('no repositories found. You must add one before updating');
    for (const name of session.args)
      if (!entries.some((one) => one.name === name))
        throw new HelmFailure(`no repositories found matching '${name}'.  Nothing will be updated`);
    session.out('Hang tight while we grab the latest from your chart repositories...\n');
    const failed: string[] = [];
    for (const entry of entries) {
      const { name, url } = entry;
      if (session.args.length > 0 && !session.args.includes(name)) continue;
      try {
        download(session, entry);
        session.out(`...Successfully got an update from the "${name}" chart repository\n`);
      } catch (error) {
        if (!(error instanceof HelmFailure)) throw error;
        const why = error.message.replace(/^looks like .* cannot be reached: /, '');
        session.out(`...Unable to get an update from the "${name}" chart repository (${url}):\n\t${why}\n`);
        failed.push(url);
      }
    }
    if (failed.length > 0 && session.flags.isOn('fail-on-repo-update-fail'))
      throw new HelmFailure(`Failed to update the following repositories: [${failed.join(' ')}]`);
    session.out('Update Complete. ⎈Happy Helming!⎈\n');
  },
};

const remove: Command = {
  flags: [],
  run(session) {
    requireArgs(session, 'remove [REPO1 [REPO2 ...]] [flags]', 1);
    let entries = readEntries(session);
    if (entries.length === 0) throw new HelmFailure('no repositories configured');
    for (const name of session.args) {
      if (!entries.some((one) => one.name === name)) throw new HelmFailure(`no repo named "${name}" found`);
      entries = entries.filter((one) => one.name !== name);
      inWords(() => {
        writeEntries(session, entries, stampOf(session));
        for (const path of [indexPath(session, name), `${pathsOf(session).indexes}/${name}-charts.txt`])
          if (pathExists(session.sys, path)) session.sys.unlink(path);
      });
      session.out(`"${name}" has been removed from your repositories\n`);
    }
  },
};

/** `helm repo index`: index.yaml for the archives of a folder. */
const index: Command = {
  flags: ['url:', 'merge:', 'json'],
  run(session) {
    requireArgs(session, 'index [DIR] [flags]', 1, 1);
    refuseFlags(session, 'merge', 'json');
    const folder = trimSlashes(session.args[0]!) || '/';
    const { sys, flags } = session;
    inWords(() => {
      const entries: Record<string, object[]> = {};
      for (const name of sys.readDirectory(folder).filter((one) => one.endsWith('.tgz'))) {
        const path = `${folder}/${name}`;
        const { metadata } = loadChartAt(sys, path);
        const url = flags.value('url') === '' ? name : `${flags.value('url').replace(/\/$/, '')}/${name}`;
        const digest = hex(sha256(toArray(readSmallFile(sys, path))));
        (entries[String(metadata['name'])] ??= []).push({
          ...metadata,
          created: stampOf(session),
          digest,
          urls: [url],
        });
      }
      writeText(
        session,
        `${folder}/index.yaml`,
        formatYaml({ apiVersion: 'v1', entries, generated: stampOf(session) }),
      );
    });
  },
};

interface Found {
  readonly name: string;
  readonly version: string;
  readonly app_version: string;
  readonly description: string;
}

function readIndex(session: Session, repository: string): Found[] {
  const { value } = parseYaml(textOf(readSmallFile(session.sys, indexPath(session, repository))));
  const entries = isMap(value) && isMap(value['entries']) ? value['entries'] : {};
  const text = (of: unknown): string => (typeof of === 'string' ? of : '');
  return Object.entries(entries).flatMap(([name, versions]) =>
    (Array.isArray(versions) ? versions : []).filter(isMap).map((one) => ({
      ...{ name: `${repository}/${name}`, version: text(one['version']), app_version: text(one['appVersion']) },
      description: text(one['description']),
    })),
  );
}

/** `helm search repo`. Models cmd/helm/search. */
const searchRepo: Command = {
  flags: ['r,regexp', 'l,versions', 'devel', 'version:', 'max-col-width:', 'fail-on-no-result', 'o,output:'],
  run(session) {
    const { flags, args } = session;
    const entries = readEntries(session);
    if (entries.length === 0) throw new HelmFailure('no repositories configured');
    const words = args.join(' ').toLowerCase();
    const constraint = parseConstraint(flags.value('version') || (flags.isOn('devel') ? '>0.0.0-0' : '>0.0.0'));
    if (!constraint)
      throw new HelmFailure(`an invalid version/constraint format: improper constraint: ${flags.value('version')}`);
    for (const { name } of entries)
      if (!pathExists(session.sys, indexPath(session, name)))
        session.err(
          `WARNING: Repo ${JSON.stringify(name)} is corrupt or missing. Try 'helm repo update'.\nWARNING: open ${indexPath(session, name)}: no such file or directory\n`,
        );
    const seen = new Set<string>();
    const found = entries
      .flatMap(({ name }) => readIndex(session, name))
      .filter(({ name, description }) => `${name}\v${description}`.toLowerCase().includes(words))
      .filter(({ version }) => constraint(parseVersion(version) ?? parseVersion('0.0.0')!))
      .filter(({ name }) => flags.isOn('versions') || (!seen.has(name) && seen.add(name)));
    const format = outputOf(session);
    if (found.length === 0 && flags.isOn('fail-on-no-result')) throw new HelmFailure('no results found');
    if (format !== 'table') return printData(session, format, found);
    if (found.length === 0) return session.out('No results found\n');
    const rows = found.map(({ name, version, app_version, description }) => [name, version, app_version, description]);
    const width = Number(flags.value('max-col-width') || '50');
    session.out(formatTable([['NAME', 'CHART VERSION', 'APP VERSION', 'DESCRIPTION'], ...rows], width || Infinity));
  },
};

const searchHub: Command = {
  flags: ['endpoint:', 'max-col-width:', 'list-repo-url', 'fail-on-no-result', 'o,output:'],
  run(session) {
    throw new HelmFailure(
      `unable to perform search against "${session.flags.value('endpoint') || 'https://hub.helm.sh'}"`,
    );
  },
};

/** `helm pull`. */
const pull: Command = {
  flags: [...CHART, 'untar', 'untardir:', 'prov', 'd,destination:'],
  run(session) {
    requireArgs(session, 'pull [chart URL | repo/chartname] [...] [flags]', 1);
    const { flags, sys } = session;
    refuseFlags(session, 'verify', 'prov');
    for (const given of session.args) {
      const chart = locateChart(session, given);
      const folder = flags.value('destination') || '.';
      const name = nameOf(chart);
      inWords(() => {
        makeFolders(session, folder);
        if (!flags.isOn('untar'))
          return writeWholeFile(sys, `${folder}/${name}-${versionOf(chart)}.tgz`, packChart(chart, clockOf(session)));
        const target = `${flags.value('untardir') || folder}/${name}`;
        if (pathExists(sys, target))
          throw new HelmFailure(`failed to untar: a file or directory with the name ${target} already exists`);
        for (const file of chart.raw) {
          const path = `${target}/${file.name}`;
          makeFolders(session, path.slice(0, path.lastIndexOf('/')));
          writeWholeFile(sys, path, file.data);
        }
      });
    }
  },
};

export const group: CommandGroup = {
  commands: {
    ...{ 'repo add': add, 'repo list': list, 'repo update': update, 'repo remove': remove, 'repo index': index },
    ...{ 'search repo': searchRepo, 'search hub': searchHub, pull },
  },
};
