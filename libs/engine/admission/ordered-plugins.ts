import { assert } from '../machinery/assert.js';
import type { AdmissionPlugin } from '../runtime/admission.js';
import { admissionPlugins } from './index.generated.js';

/**
 * The names of all plug-ins in the order in which they run. Webhooks and policies come after the built-in plug-ins, so
 * that they see a complete object; ResourceQuota comes last, so that it counts only objects that no other plug-in
 * refuses. Models pkg/kubeapiserver/options/plugins.go AllOrderedPlugins.
 */
export const ALL_ORDERED_PLUGINS: readonly string[] = [
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'DefaultIngressClass',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  // Not a plug-in upstream: there, the storage of the RBAC kinds checks escalation, after admission.
  'RBACEscalation',
  'ResourceQuota',
];

/**
 * The plug-ins in the order of `names`. Throws AssertionError unless each plug-in has one name, and each name a
 * plug-in.
 */
export function orderPlugins(plugins: readonly AdmissionPlugin[], names: readonly string[]): AdmissionPlugin[] {
  for (const { name } of plugins)
    assert(names.includes(name), `admission plug-in ${name} is missing in ALL_ORDERED_PLUGINS`);
  assert(new Set(names).size === names.length, 'ALL_ORDERED_PLUGINS names a plug-in twice');
  return names.map((name) => {
    const named = plugins.filter((plugin) => plugin.name === name);
    assert(named.length === 1, `ALL_ORDERED_PLUGINS names ${name}, which ${named.length} plug-ins have`);
    return named[0]!;
  });
}

export const orderedPlugins: readonly AdmissionPlugin[] = orderPlugins(admissionPlugins, ALL_ORDERED_PLUGINS);
