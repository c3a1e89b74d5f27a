import type { Pod } from '../../../api/core_v1.js';
import { bytesOf } from '../../../kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import type { Millis } from '../../../machinery/time/time.js';
import { dnsConfigOf, resolvConf } from './dns.js';
import { hostNamesOf, managedHosts } from './hosts.js';

/** Where each of the files below stands in a container. */
export const POD_FILES: Readonly<Record<string, string>> = {
  hosts: '/etc/hosts',
  hostname: '/etc/hostname',
  'resolv.conf': '/etc/resolv.conf',
};

/** The files of a pod's sandbox, which all of its containers mount one by one. */
export function sandboxFiles(pod: Pod, madeAt: Millis): ImageFiles {
  const file = (text: string): FileNode => ({
    type: 'file',
    mode: 0o644,
    user: 0,
    group: 0,
    modified: madeAt,
    content: bytesOf(text),
  });
  return {
    '/hosts': file(managedHosts(pod)),
    '/hostname': file(`${hostNamesOf(pod).hostname}\n`),
    '/resolv.conf': file(resolvConf(dnsConfigOf(pod, pod.status.hostIP ?? ''))),
  };
}
