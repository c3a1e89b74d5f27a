import type { Pod } from '../api/core_v1.js';
import { NodeRuntimes } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import { parseVersion, type GitVersion } from '../machinery/releases.js';

/** The release of the API server, where somebody has changed its manifest; undefined: it is the one of the start. */
export function servedRelease(read: Reader): GitVersion | undefined {
  for (const { manifests = [] } of read.list(NodeRuntimes)) {
    for (const { pod } of manifests) {
      const { metadata, spec } = (pod ?? {}) as Partial<Pod>;
      const image = metadata?.name === 'kube-apiserver' ? (spec?.containers[0]?.image ?? '') : '';
      const release = parseVersion(image.slice(image.lastIndexOf(':') + 1));
      if (release) return release;
    }
  }
  return undefined;
}
