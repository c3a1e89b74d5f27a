import { textOf } from '../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { readSmallFile } from '../../accounts.js';
import { isMap } from '../../go-template/values.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import { type Session, writeText } from '../../kubectl/session/session.js';
import { pathExists } from '../../sessions/copy-files.js';

/** Where helm has its files. Models pkg/helmpath and pkg/cli. */
export function pathsOf({
  flags,
  sys,
}: Session): Readonly<
  Record<'cache' | 'config' | 'data' | 'repositories' | 'indexes' | 'plugins' | 'registry', string>
> {
  const { env } = sys;
  const home = env['HOME'] ?? '/root';
  const of = (own: string, xdg: string, folder: string): string =>
    env[own] || (env[xdg] ? `${env[xdg]}/helm` : `${home}/${folder}/helm`);
  const cache = of('HELM_CACHE_HOME', 'XDG_CACHE_HOME', '.cache');
  const config = of('HELM_CONFIG_HOME', 'XDG_CONFIG_HOME', '.config');
  const data = of('HELM_DATA_HOME', 'XDG_DATA_HOME', '.local/share');
  return {
    ...{ cache, config, data },
    repositories: flags.value('repository-config') || env['HELM_REPOSITORY_CONFIG'] || `${config}/repositories.yaml`,
    indexes: flags.value('repository-cache') || env['HELM_REPOSITORY_CACHE'] || `${cache}/repository`,
    plugins: env['HELM_PLUGINS'] || `${data}/plugins`,
    registry: flags.value('registry-config') || env['HELM_REGISTRY_CONFIG'] || `${config}/registry/config.json`,
  };
}

export interface RepositoryEntry {
  readonly name: string;
  readonly url: string;
}

/** What repositories.yaml lists. */
export function readEntries(session: Session): RepositoryEntry[] {
  const { value } = parseYaml(textOf(readSmallFile(session.sys, pathsOf(session).repositories)));
  const list = isMap(value) ? value['repositories'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) =>
    isMap(one) && typeof one['name'] === 'string' && typeof one['url'] === 'string'
      ? [{ name: one['name'], url: one['url'] }]
      : [],
  );
}

/** Makes a folder, and those that it stands in. Throws SystemError. */
export function makeFolders(session: Session, path: string): void {
  const parts = path.split('/');
  for (let i = 1; i <= parts.length; i++) {
    const folder = parts.slice(0, i).join('/');
    if (folder !== '' && !pathExists(session.sys, folder)) session.sys.makeDirectory(folder, 0o755);
  }
}

export function writeEntries(session: Session, entries: readonly RepositoryEntry[], stamp: string): void {
  const path = pathsOf(session).repositories;
  makeFolders(session, path.slice(0, path.lastIndexOf('/')));
  const rows = entries.map((one) => ({
    ...{ caFile: '', certFile: '', insecure_skip_tls_verify: false, keyFile: '', name: one.name },
    ...{ pass_credentials_all: false, password: '', url: one.url, username: '' },
  }));
  writeText(session, path, formatYaml({ apiVersion: '', generated: stamp, repositories: rows }));
}
