import type { VolumeMount } from '../../../api/core_v1.js';
import { own } from '../../../machinery/meta/object.js';
import { expand } from './expansion.js';
import { ConfigError, type Data } from './value-source.js';

/**
 * The folder of its volume that a mount shows, '' for all of it. Throws ConfigError for one that leaves the volume or
 * refers to a variable without a value. Models kubelet_pods.go makeMounts and container/helpers.go
 * ExpandContainerVolumeMounts.
 */
export function resolveSubPath({ subPath = '', subPathExpr }: VolumeMount, env: () => Data): string {
  const path = subPathExpr ? expandSubPath(subPathExpr, env()) : subPath;
  if (path.startsWith('/')) throw new ConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split('/').includes('..'))
    throw new ConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

function expandSubPath(expression: string, env: Data): string {
  const missing = new Set<string>();
  const path = expand(expression, (name) => {
    const value = own(env, name);
    if (!value) missing.add(name);
    return value;
  });
  if (missing.size > 0) throw new ConfigError(`missing value for ${[...missing].sort().join(', ')}`);
  return path;
}
