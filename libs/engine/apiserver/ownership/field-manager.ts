import { own } from '../../machinery/meta/object.js';

const PROGRAMS: Readonly<Record<string, string>> = {
  'system:apiserver': 'kube-apiserver',
  'system:kube-scheduler': 'kube-scheduler',
};

/** The field manager of a component's writes: the program that it runs in upstream. */
export function managerOfComponent(userName: string): string {
  if (userName.startsWith('system:node:')) return 'kubelet';
  return own(PROGRAMS, userName) ?? 'kube-controller-manager';
}

const MAX_MANAGER_LENGTH = 128;

/**
 * The field manager of a request: its fieldManager, else the first part of its user agent. Models
 * apiserver/pkg/endpoints/handlers/create.go managerOrUserAgent.
 */
export function managerOrUserAgent(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  return (userAgent ?? '')
    .split('/', 1)[0]!
    .replace(/[^\x20-\x7e\u00a1-\uffff]/g, '')
    .slice(0, MAX_MANAGER_LENGTH);
}
