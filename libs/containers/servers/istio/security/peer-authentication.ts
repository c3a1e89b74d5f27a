import type { Reader } from '@terrarium/engine';
import type { Mesh } from '../mesh.js';
import { PeerAuthentications, type MtlsMode, type PeerAuthentication } from '../resources.js';

type Target = { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };

export const selects = (
  selector: { readonly matchLabels?: Readonly<Record<string, string>> } | undefined,
  labels: Readonly<Record<string, string>>,
): boolean => Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);

const hasSelector = ({ spec }: PeerAuthentication): boolean =>
  Object.keys(spec?.selector?.matchLabels ?? {}).length > 0;
const ageOf = ({ metadata }: PeerAuthentication): string => metadata.creationTimestamp ?? '';

/**
 * How a port of a workload is to be spoken to: its own policy's port, its own, its namespace's, the mesh's. Models
 * pilot/pkg/security/authn ComposePeerAuthentication.
 */
export function mtlsModeOf(read: Reader, { namespace, labels }: Target, port: number, mesh: Mesh): MtlsMode {
  const oldest = (list: readonly PeerAuthentication[]): PeerAuthentication | undefined =>
    [...list].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))[0];
  const own = read.list(PeerAuthentications, namespace);
  const workload = oldest(own.filter((one) => hasSelector(one) && selects(one.spec?.selector, labels)));
  const ofNamespace = oldest(own.filter((one) => !hasSelector(one)));
  const ofMesh = oldest(read.list(PeerAuthentications, mesh.rootNamespace).filter((one) => !hasSelector(one)));
  const modes = [
    workload?.spec?.portLevelMtls?.[String(port)]?.mode,
    workload?.spec?.mtls?.mode,
    ofNamespace?.spec?.mtls?.mode,
    ofMesh?.spec?.mtls?.mode,
  ];
  return modes.find((mode) => mode !== undefined && mode !== 'UNSET') ?? 'PERMISSIVE';
}
