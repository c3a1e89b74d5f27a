import type { Pod } from '../../../api/core_v1.js';
import type {
  ApiServerConfiguration,
  EncryptedResources,
} from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { Disk } from '../files/disk.js';
import { commandOf, failed, flagsIn } from '../services/component-fault.js';
import { findUnparsable, readAccessOptions } from './access-options.js';
import { readAdmissionOptions } from './admission-options.js';
import { readAuditOptions, type AuditOptions } from './audit-options.js';
import { readEncryption } from './encryption-configuration.js';

/** What an API server that comes up acts on; `audit`: the file of its log is yet to be opened. */
export type FoundApiServer = Omit<ApiServerConfiguration, 'audit' | 'encryption'> & {
  readonly audit?: AuditOptions;
  /** What is encrypted from now on. */
  readonly encrypted: EncryptedResources[];
};

/** Either the last words of an API server that does not come up, or what it has read. */
export type ApiServerStart = { readonly fault: string } | { readonly found: FoundApiServer };

/** What a kube-apiserver makes of its flags and of the files that they name. Models cmd/kube-apiserver/app/options. */
export function startApiServer(pod: Pod, disk: Disk): ApiServerStart {
  const container = pod.spec.containers[0];
  if (!container) return { found: { encrypted: [] } };
  const flags = flagsIn(commandOf(container).slice(1));
  const mounted = { pod, container, disk };
  const unparsable = findUnparsable(flags);
  if (unparsable !== undefined) return { fault: unparsable };
  const access = readAccessOptions(flags);
  if (access.failure !== undefined) return { fault: lastWords(access.failure) };
  const admission = readAdmissionOptions(flags, mounted);
  if (admission.failure !== undefined) return { fault: lastWords(admission.failure) };
  const audit = readAuditOptions(flags, mounted);
  if (audit.failure !== undefined) return { fault: lastWords(audit.failure) };
  const encrypted = readEncryption(flags, mounted);
  if (encrypted.failure !== undefined) return { fault: lastWords(encrypted.failure) };
  const told = { ...access.value, ...admission.value, encrypted: encrypted.value };
  return { found: { ...told, ...(audit.value ? { audit: audit.value } : {}) } };
}

/** klog quotes an error as Go does. */
const lastWords = (error: string): string => failed(JSON.stringify(error).slice(1, -1));
