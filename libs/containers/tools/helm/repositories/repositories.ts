import { textOf } from '../../../../engine/kernel/bytes.js';
import { hex, sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import { readSmallFile } from '../../accounts.js';
import { trimSlashes } from '../../names.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import type { Session } from '../../kubectl/session/session.js';
import type { Chart } from '../chart/chart.js';
import { compareVersions, parseConstraint, parseVersion } from '../chart/semver.js';
import { HelmFailure } from '../failure.js';
import { type BundledChart, type BundledRepository, unpackBundled } from './charts/bundled.js';
import { REPOSITORIES } from './charts/index.js';
import { readEntries } from './paths.js';

const trim = trimSlashes;
/** Three numbers, and nothing that asks for a range. */
const EXACT = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** A repository whose charts are known here. */
export const knownRepository = (url: string): BundledRepository | undefined =>
  REPOSITORIES.find((one) => one.url === trim(url));

/** Why a URL cannot be read: names outside of the cluster are not known. */
export function unreachable({ sys }: Session, url: string): HelmFailure {
  const host = /^[a-z]+:\/\/(?:[^@/]*@)?([^/:]+)/.exec(url)?.[1] ?? url;
  const server = /^nameserver\s+(\S+)/m.exec(textOf(readSmallFile(sys, '/etc/resolv.conf')))?.[1];
  const via = server === undefined ? '' : ` on ${server.includes(':') ? `[${server}]` : server}:53`;
  const isAddress = /^[\d.]+$/.test(host);
  return new HelmFailure(
    isAddress
      ? `Get "${url}": dial tcp ${host}: connect: network is unreachable`
      : `Get "${url}": dial tcp: lookup ${host}${via}: no such host`,
  );
}

/** Throws HelmFailure for a repository that is not known here. */
export function openRepository(session: Session, url: string): BundledRepository {
  const found = knownRepository(url);
  if (found) return found;
  if (!/^https?:\/\//.test(url))
    throw new HelmFailure(`could not find protocol handler for: ${/^([a-z]+):/.exec(url)?.[1] ?? ''}`);
  const why = unreachable(session, `${trim(url)}/index.yaml`);
  throw new HelmFailure(
    `looks like ${JSON.stringify(url)} is not a valid chart repository or cannot be reached: ${why.message}`,
  );
}

/** A version that is not listed, between two that are: it was released then, with the application of the one before. */
function findBetween({ versions }: BundledChart, wanted: string): readonly [string, string] | undefined {
  const version = EXACT.test(wanted) ? parseVersion(wanted) : undefined;
  if (!version || compareVersions(version, parseVersion(versions[0]![0])!) > 0) return undefined;
  const before = versions.find(([listed]) => compareVersions(parseVersion(listed)!, version) < 0);
  return before && [wanted, before[1]];
}

/** The newest version that a constraint allows; '' allows those that are no pre-releases. */
function chooseVersion(chart: BundledChart, wanted: string): readonly [string, string] | undefined {
  const plain = wanted.replace(/^v/, '');
  const exact = chart.versions.find(([version]) => version === plain) ?? findBetween(chart, plain);
  if (exact) return exact;
  const check = parseConstraint(wanted === '' ? '*' : wanted);
  return chart.versions
    .filter(([version]) => check?.(parseVersion(version)!) ?? false)
    .sort((a, b) => compareVersions(parseVersion(b[0])!, parseVersion(a[0])!))[0];
}

/** A chart of a repository that was added, or of `--repo`. Throws HelmFailure. */
export function findInRepository(session: Session, name: string, version: string, repo: string): Chart {
  if (repo !== '') return findByUrl(session, name, version, repo);
  const at = name.indexOf('/');
  if (at < 0) throw new HelmFailure(`non-absolute URLs should be in form of repo_name/path_to_chart, got: ${name}`);
  const [alias, own] = [name.slice(0, at), name.slice(at + 1)];
  const entry = readEntries(session).find((one) => one.name === alias);
  if (!entry) throw new HelmFailure(`repo ${alias} not found`);
  const chart = openRepository(session, entry.url).charts.find((one) => one.name === own);
  const found = chart && chooseVersion(chart, version);
  if (!chart || !found)
    throw new HelmFailure(
      `chart ${JSON.stringify(own)} matching ${version} not found in ${alias} index. (try 'helm repo update'): no chart ${chart ? `version found for ${own}-${version}` : 'name found'}`,
    );
  return unpackBundled(chart, ...found);
}

/** A chart of a repository by its URL. Throws HelmFailure. */
export function findByUrl(session: Session, name: string, version: string, url: string): Chart {
  if (url.startsWith('oci://')) return findOci(session, `${trim(url)}/${name}`, version);
  if (/^(?:@|alias:)/.test(url))
    return findInRepository(session, `${url.replace(/^(?:@|alias:)/, '')}/${name}`, version, '');
  const chart = openRepository(session, url).charts.find((one) => one.name === name);
  const found = chart && chooseVersion(chart, version);
  if (!chart || !found)
    throw new HelmFailure(
      `chart ${JSON.stringify(name)}${version === '' ? '' : ` version ${JSON.stringify(version)}`} not found in ${url} repository`,
    );
  return unpackBundled(chart, ...found);
}

/** A chart of an OCI registry. Throws HelmFailure. */
export function findOci(session: Session, reference: string, version: string): Chart {
  const [path = '', tag = ''] = /^(oci:\/\/[^:]+(?::\d+\/[^:]+)?)(?::(.+))?$/.exec(reference)?.slice(1) ?? [];
  const at = path.lastIndexOf('/');
  const chart = REPOSITORIES.find(({ oci }) => oci !== '' && oci === path.slice(0, at))?.charts.find(
    ({ name }) => name === path.slice(at + 1),
  );
  const found = chart && chooseVersion(chart, version || tag);
  if (chart && found) return unpackBundled(chart, ...found);
  const [host = '', ...rest] = path.slice('oci://'.length).split('/');
  if (chart) throw new HelmFailure(`${path.slice('oci://'.length)}:${version || tag}: not found`);
  throw unreachable(session, `https://${host}/v2/${rest.join('/')}/tags/list`);
}

/** index.yaml of a repository that is known here. */
export function indexText({ url, charts }: BundledRepository, stamp: string): string {
  const entries = charts.map((chart) => [
    chart.name,
    chart.versions.map(([version, appVersion]) => ({
      ...{ apiVersion: 'v2', name: chart.name, version, appVersion, description: chart.description, home: chart.home },
      ...{ created: stamp, type: 'application', urls: [`${url}/${chart.name}-${version}.tgz`] },
      digest: hex(sha256(`${url}/${chart.name}-${version}`)),
    })),
  ]);
  return formatYaml({ apiVersion: 'v1', entries: Object.fromEntries(entries) as object, generated: stamp });
}
